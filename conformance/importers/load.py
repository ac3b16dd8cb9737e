"""Tell what a file is, and hand it to the importer of that format."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from conformance.errors import ConformanceError, InputError
from conformance.importers import (
    bare,
    cassette,
    compressed,
    curl_trace,
    curl_verbose,
    documents,
    http_response,
    json_lines,
    per_line,
    yaml_text,
)
from conformance.importers.common import asked_mode, decoded
from conformance.importers.folder import files
from conformance.importers.formats import NoExchange
from conformance.model import Exchange, Fidelity
from conformance.text import plural
from conformance.wire.body import MAX_DECODED, decode_body, kind_of
from conformance.wire.facts import Marks
from conformance.wire.sse import BOM

MAX_FILE: Final = 512 * 1024 * 1024
_YAML: Final = re.compile(
    rb"^(?:[\"']?(?:http_)?interactions[\"']?\s*:|-\s+(?:!\S+\s*\n\s+)?:?request\s*:)", re.MULTILINE
)
"""A cassette in YAML; the oldest ones are lists."""
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_ASCII: Final = 8
"""Bytes with which anything known begins in ASCII, as in `{"id`."""


def load(source: str | Path, request: Mapping[str, Any] | None = None) -> Iterator[Exchange]:
    """Read the exchanges of a file, or of the files in a folder.

    Args:
        source: a path, or `-` for standard input.
        request: the request body the exchanges answer, where the format does not carry it.

    Yields:
        Exchanges named `source#position`.

    Raises:
        InputError: the file cannot be read, or holds nothing that is known here; for a folder one line for each such
            file, after all that can be read.
        CassetteCorrupt: it is a cassette that cannot be read, or one of ours that is not as it was recorded.
    """
    name = str(source)
    if name == "-" or not _is_folder(name):
        yield from from_bytes(_bytes_of(name), name, request)
        return
    problems: list[str] = []
    for path in files(name):
        try:
            yield from from_bytes(_bytes_of(str(path)), str(path), request)
        except ConformanceError as problem:
            problems.append(problem.brief if isinstance(problem, NoExchange) else str(problem))
    if problems:
        raise InputError("\n".join(problems))


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except ValueError:  # a name that no file can have; opening it says so
        return False


def from_bytes(data: bytes, name: str, request: Mapping[str, Any] | None = None) -> Iterator[Exchange]:
    """Read the exchanges in the bytes of a file called `name`; see `load`."""
    data, damage = _unpacked(data, name)
    exchanges = _plain(data, name, request)
    yield from _until(exchanges, damage) if damage else exchanges


def _plain(data: bytes, name: str, request: Mapping[str, Any] | None) -> Iterator[Exchange]:
    """The exchanges in bytes that are not compressed."""
    if not data.strip():
        raise NoExchange(name, "the file is empty")
    coding = _utf_16(data)  # Windows PowerShell's `>` writes it, with line ends of its own
    if coding:
        try:
            data = data.decode(coding).encode()
        except UnicodeDecodeError:
            raise InputError(f"{name}: damaged UTF-16; save it as it came, in a binary-safe way") from None
    for exchange in _shallow(data, name):
        found = exchange
        if coding:
            found = replace(found, fidelity=replace(found.fidelity, framing=False))
        if request is not None and found.request is None:
            found = replace(found, request=request, asked_mode=found.asked_mode or asked_mode(request))
        yield found


def _utf_16(data: bytes) -> str:
    """The form of UTF-16 that bytes are in, by their mark or because all they begin with is ASCII; empty if none."""
    if data.startswith(_UTF_16):
        return "utf-16"
    start = data[:_ASCII]
    for coding, zeros, letters in (("utf-16-le", start[1::2], start[::2]), ("utf-16-be", start[::2], start[1::2])):
        if len(start) == _ASCII and not any(zeros) and all(letters):
            return coding
    return ""


def _shallow(data: bytes, name: str) -> Iterator[Exchange]:
    """The exchanges, and a sentence where one nests so deeply that it can be decoded, but not written again."""
    try:
        yield from _detected(data, name)
    except RecursionError:
        raise InputError(f"{name}: nests too deeply; give the body as it came") from None


def _detected(data: bytes, name: str) -> Iterator[Exchange]:
    text = data.removeprefix(BOM).lstrip(b" \t\r\n")
    if http_response.is_response(text):
        return http_response.exchanges(text, name)
    if curl_trace.is_trace(text):
        return curl_trace.exchanges(text, name)
    if curl_verbose.is_verbose(text):
        return curl_verbose.exchanges(text, name)
    if text[:1] in (b"{", b"["):
        return _json(data, text, name)
    if cassette.is_ours(text):
        return cassette.ours(data, name)
    if _YAML.search(text[:4096]) is not None:
        return documents.of_cassettes(yaml_text.loaded(text, name), name)
    plain = decode_body(data, {}, Marks())
    kind = kind_of(plain)
    if kind == "json":
        bare.check(plain.strip(), _or_none(plain), name)
    if kind in ("sse", "json"):
        return _raw(data, name)
    raise NoExchange(name)


def _json(data: bytes, text: bytes, name: str) -> Iterator[Exchange]:
    document = _or_none(text)
    if document is None:
        return _several(data, text, name)
    found = documents.of_json(document, name)
    if found is not None:
        return found
    if json_lines.is_chunk(document):
        return json_lines.of_array([document], name) if b"\n" in text.strip() else json_lines.of_lines(text, name)
    bare.check(text, document, name)
    return _raw(data, name)


def _several(data: bytes, text: bytes, name: str) -> Iterator[Exchange]:
    """JSON that is no document: lines, documents one after another, or one that is cut or damaged."""
    lines = json_lines.is_lines(text)
    if not lines or json_lines.is_printed(text):
        found, rest = json_lines.concatenated(text)
        if len(found) > 1 or (found and not bare.is_answer(found[0])):
            read = documents.of_several(found, name)
            return (
                _until(read, f"{name}: not JSON after {plural(len(found), 'document')}; it is cut or damaged")
                if rest
                else read
            )
    if lines:
        return json_lines.of_lines(text, name)
    bare.check(text, None, name)
    return _raw(data, name)  # a damaged answer: reading it says so


def _until(exchanges: Iterator[Exchange], sentence: str) -> Iterator[Exchange]:
    """The exchanges, and then why there are no more."""
    try:
        yield from exchanges
    except ConformanceError as problem:
        raise InputError(f"{problem}\n{sentence}") from None
    raise InputError(sentence)


def _or_none(text: bytes) -> Any:
    try:
        return decoded(text)
    except ValueError:
        return None


def _raw(data: bytes, name: str) -> Iterator[Exchange]:
    """A body as it is; nothing is known about status and headers."""
    yield Exchange(source=f"{name}#0", body=data, status=None, fidelity=Fidelity(headers=False))


def _unpacked(data: bytes, name: str) -> tuple[bytes, str]:
    """Undo the compression of a file: what can be read of it, and a sentence about what cannot, empty if all can.

    A compressed stream that was cut stays as it is: reading it says so.

    Raises:
        InputError: nothing of a damaged file can be read for sure.
    """
    if not compressed.is_compressed(data):
        return data, ""
    plain, damage = compressed.unpack(data)
    if damage is None:
        return plain, ""
    if damage.whole:
        return plain, compressed.sentence(name, len(plain), damage, kept=True)
    if kind_of(plain) == "sse" and len(plain) < MAX_DECODED:
        return data, ""
    lines = plain[: plain.rfind(b"\n") + 1]
    if not per_line.is_exchange(lines.partition(b"\n")[0]):
        raise InputError(compressed.sentence(name, len(plain), damage, kept=False))
    return lines, compressed.sentence(name, len(lines), damage, kept=True)


def _bytes_of(name: str) -> bytes:
    """The content of a file, a pipe or a device, as long as it is none without end."""
    if name == "-":
        data = sys.stdin.buffer.read(MAX_FILE + 1)
    else:
        try:
            with Path(name).open("rb") as file:
                data = file.read(MAX_FILE + 1)
        except FileNotFoundError:
            raise InputError(f"{name}: there is no such file; check the path") from None
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise InputError(f"{name}: cannot be read ({why}); check the path and its permissions") from None
    if len(data) > MAX_FILE:
        raise InputError(f"{name}: there are more than {MAX_FILE // 2**20} MiB; split it")
    return data
