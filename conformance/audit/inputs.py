"""Paths into pieces of work: batches of small files, stretches of large JSON Lines files, blocks of a stream.

Nothing is read ahead of need, so that a million files or a file of any size take no more memory than one piece.
"""

from __future__ import annotations

import io
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Final

from conformance.errors import InputError
from conformance.importers import files
from conformance.importers.compressed import Damage, Unpacked, is_compressed, sentence
from conformance.importers.load import MAX_FILE
from conformance.importers.per_line import is_exchange

PIECE: Final = 4 * 1024 * 1024
"""Bytes of a piece: small enough for many per worker, large enough that handing it over costs nothing."""
MOST_FILES: Final = 64
"""Files in a batch."""
LONGEST_LINE: Final = 64 * 1024 * 1024
_POSITION: Final = re.compile(r"#[0-9]+\Z")
_HEAD: Final = 1 << 20
"""Bytes of compressed standard input that must hold the first line."""


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
            file = _POSITION.sub("", name)
            if Path(file).is_file():
                yield Bad(f"{name}: one exchange of a file is for inspect; audit {file} as a whole", given)
            else:
                yield Bad(f"{name}: there is no such file; check the path", given)
            continue
        except (OSError, ValueError) as problem:
            why = problem.strerror if isinstance(problem, OSError) else problem
            yield Bad(f"{name}: cannot be read ({why}); check the path and its permissions", given)
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
    places = {path: Path(os.path.realpath(path)) for path in given if path != "-"}
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
        stream.seek(0)
        if is_compressed(head):
            return _unpacked_file(name) if _is_lines(Unpacked(stream).buffered()) else None
        if about.st_size <= PIECE:
            return None
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
    head = stream.read(4)
    if is_compressed(head):
        yield from _compressed_input(head, stream)
        return
    first = head if b"\n" in head else head + stream.readline(LONGEST_LINE)
    if first.endswith(b"\n") and is_exchange(first):
        yield from _blocks("-", stream, first)
    else:
        yield from _whole_input(first, stream)


def _compressed_input(head: bytes, stream: BinaryIO) -> Iterator[Piece | Bad]:
    """Told by its beginning, for what was read cannot be read again."""
    head += stream.read(_HEAD)
    if _is_lines(Unpacked(io.BytesIO(head)).buffered()):
        yield from _unpacked("-", Unpacked(stream, head))
    else:
        yield from _whole_input(head, stream)


def _whole_input(head: bytes, stream: BinaryIO) -> Iterator[Piece | Bad]:
    data = head + stream.read(MAX_FILE)
    if len(data) > MAX_FILE:
        yield Bad(f"-: there are more than {MAX_FILE >> 20} MiB to read as a whole; split it", given=True)
    else:
        yield Blob("-", data)


def _unpacked_file(name: str) -> Iterator[Piece | Bad]:
    with Path(name).open("rb") as stream:
        yield from _unpacked(name, Unpacked(stream))


def _unpacked(name: str, content: Unpacked) -> Iterator[Piece | Bad]:
    size = 0
    for piece in _blocks(name, content.buffered()):
        if isinstance(piece, Lines):
            piece = _whole_lines(piece, content.damage)
            size = piece.offset + piece.size
        yield piece
    if content.damage is not None:
        yield Bad(sentence(name, size, content.damage, kept=True), given=True)


def _whole_lines(lines: Lines, damage: Damage | None) -> Lines:
    """Without the line that a damage has cut."""
    if damage is None or damage.whole or lines.data is None:
        return lines
    data = lines.data[: lines.data.rfind(b"\n") + 1]
    return replace(lines, data=data, size=len(data))


def _blocks(name: str, stream: BinaryIO, block: bytes = b"") -> Iterator[Piece | Bad]:
    position = offset = 0
    while True:
        try:
            block += stream.read(PIECE)
            block += b"" if block.endswith(b"\n") or not block else stream.readline(LONGEST_LINE)
        except OSError as problem:
            why = problem.strerror or problem
            yield Bad(f"{name}: cannot be read after {offset} bytes ({why}); what came before is counted", given=True)
            return
        if not block:
            return
        yield Lines(name, position, offset, len(block), block)
        position += block.count(b"\n")
        offset += len(block)
        block = b""
