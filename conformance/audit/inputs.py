"""Paths into pieces of work: batches of small files, stretches of large JSON Lines files, blocks of a stream.

Nothing is read ahead of need, so that a million files or a file of any size take no more memory than one piece.
"""

from __future__ import annotations

import gzip
import io
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Final, cast

import zstandard

from conformance.errors import InputError
from conformance.importers import files
from conformance.importers.per_line import is_exchange

PIECE: Final = 4 * 1024 * 1024
"""Bytes of a piece: small enough for many per worker, large enough that handing it over costs nothing."""
MOST_FILES: Final = 64
"""Files in a batch."""
LONGEST_LINE: Final = 64 * 1024 * 1024
_UNREADABLE: Final = (OSError, EOFError, ValueError, zlib.error, zstandard.ZstdError)
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"


@dataclass(frozen=True, slots=True)
class Files:
    """Files to be read as a whole; `given`: somebody named them, they were not found in a folder."""

    names: tuple[str, ...]
    given: bool = False


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines with an exchange each.

    Attributes:
        name: the file.
        position: number of the first line in it.
        offset, size: where the lines are in the file.
        data: the lines themselves, where the file cannot be read from the middle (compressed, standard input).
        given: somebody named the file, it was not found in a folder.
    """

    name: str
    position: int
    offset: int
    size: int
    data: bytes | None = None
    given: bool = False


@dataclass(frozen=True, slots=True)
class Blob:
    """The bytes of standard input, where they are no lines."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Bad:
    """What cannot be read, in a sentence; `given`: somebody named it, it was not found in a folder."""

    sentence: str
    given: bool


Piece = Files | Lines | Blob


def pieces(paths: Iterable[str]) -> Iterator[Piece | Bad]:
    """The pieces of files and folders, and a sentence for each path that cannot be read.

    Args:
        paths: files, folders, or `-` for standard input. What is given twice, or inside a folder that is given as well,
            counts once.
    """
    given: list[str] = []
    for path in _distinct(paths):
        if path == "-" or not Path(path).is_dir():
            given.append(path)
        else:
            yield from _batches(_names(path), given=False)
    yield from _batches(given, given=True)


def _batches(names: Iterable[str | Bad], *, given: bool) -> Iterator[Piece | Bad]:
    batch: list[str] = []
    size = 0
    for name in names:
        if isinstance(name, Bad):
            yield name
            continue
        try:
            own = _lines(name)
            length = Path(name).stat().st_size if own is None else 0
        except FileNotFoundError:
            yield Bad(f"{name}: there is no such file; check the path", given)
            continue
        except _UNREADABLE as problem:
            yield Bad(f"{name}: cannot be read ({problem}); check the path and its permissions", given)
            continue
        if own is not None:
            for one in own:
                yield one if isinstance(one, Blob | Files) else replace(one, given=given)
            continue
        batch.append(name)
        size += length
        if size >= PIECE or len(batch) >= MOST_FILES:
            yield Files(tuple(batch), given)
            batch, size = [], 0
    if batch:
        yield Files(tuple(batch), given)


def _distinct(paths: Iterable[str]) -> list[str]:
    given = list(dict.fromkeys(paths))
    places = {path: Path(path).resolve() for path in given if path != "-"}
    return [
        path
        for number, path in enumerate(given)
        if path == "-"
        or not places[path].exists()
        or not any(
            place in places[path].parents or (place == places[path] and other in given[:number])
            for other, place in places.items()
        )
    ]


def _names(path: str) -> Iterator[str | Bad]:
    try:
        yield from map(str, files(path))
    except InputError as problem:
        yield Bad(str(problem), given=False)


def _lines(name: str) -> Iterator[Piece | Bad] | None:
    """The pieces of a file of JSON Lines with an exchange each; None if it is anything else, or small."""
    if name == "-":
        return _standard_input()
    path = Path(name)
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):
        return None
    with path.open("rb") as stream:
        head = stream.read(4)
        if head.startswith((_GZIP, _ZSTD)):
            with _opened(name, head) as plain:
                if not _is_lines(plain):
                    return None
            return _unpacked(name, head)
        if about.st_size <= PIECE:
            return None
        stream.seek(0)
        return _stretches(name) if _is_lines(stream) else None


def _is_lines(stream: BinaryIO) -> bool:
    first = stream.readline(LONGEST_LINE)
    return first.endswith(b"\n") and first[:1] == b"{" and is_exchange(first) and bool(stream.read(1))


def _stretches(name: str) -> Iterator[Piece]:
    """Where each piece begins and how many lines came before: the only thing that is done by one process alone."""
    position = offset = 0
    with Path(name).open("rb") as stream:
        while block := stream.read(PIECE):
            block += b"" if block.endswith(b"\n") else stream.readline(LONGEST_LINE)
            yield Lines(name, position, offset, len(block))
            position += block.count(b"\n")
            offset += len(block)


def _standard_input() -> Iterator[Piece | Bad]:
    stream = sys.stdin.buffer
    first = stream.readline(LONGEST_LINE)
    if first.endswith(b"\n") and is_exchange(first):
        yield from _blocks("-", stream, first)
    else:
        yield Blob("-", first + stream.read())


def _unpacked(name: str, head: bytes) -> Iterator[Piece | Bad]:
    with _opened(name, head) as stream:
        yield from _blocks(name, stream)


def _blocks(name: str, stream: BinaryIO, block: bytes = b"") -> Iterator[Piece | Bad]:
    position = offset = 0
    while True:
        try:
            block += stream.read(PIECE)
            block += b"" if block.endswith(b"\n") or not block else stream.readline(LONGEST_LINE)
        except _UNREADABLE as problem:
            yield Bad(f"{name}: damaged after {offset} bytes ({problem}); what came before is counted", given=True)
            return
        if not block:
            return
        yield Lines(name, position, offset, len(block), block)
        position += block.count(b"\n")
        offset += len(block)
        block = b""


def _opened(name: str, head: bytes) -> BinaryIO:
    if head.startswith(_GZIP):
        return cast("BinaryIO", gzip.open(name, "rb"))
    return cast("BinaryIO", io.BufferedReader(zstandard.open(name, "rb"), 1 << 20))
