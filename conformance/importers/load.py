"""Tell what a file is, and hand it to the importer of that format."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from conformance.errors import InputError
from conformance.importers import capture, cassette, har, http_response, json_lines
from conformance.importers import request as request_body
from conformance.importers.common import asked_mode, decoded
from conformance.model import Exchange, Fidelity
from conformance.wire.body import decode_body, kind_of
from conformance.wire.facts import Fact, Marks
from conformance.wire.sse import BOM

FORMATS: Final = (
    "a raw SSE body, a JSON body, a raw HTTP response (curl -i), JSON Lines of chunks, a vcrpy cassette, a HAR,"
    " a capture file, or a request body"
)
MAX_FILE: Final = 512 * 1024 * 1024
_COMPRESSED: Final = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")


def load(source: str | Path, request: Mapping[str, Any] | None = None) -> Iterator[Exchange]:
    """Read the exchanges of one file.

    Args:
        source: a path, or `-` for standard input.
        request: the request body the exchanges answer, where the format does not carry it.

    Yields:
        Exchanges named `source#position`.

    Raises:
        InputError: the file cannot be read, or holds nothing that is known here.
        CassetteCorrupt: it is one of our cassettes, and not as it was recorded.
    """
    name = str(source)
    yield from from_bytes(_bytes_of(name), name, request)


def from_bytes(data: bytes, name: str, request: Mapping[str, Any] | None = None) -> Iterator[Exchange]:
    """Read the exchanges in the bytes of a file called `name`; see `load`."""
    if not data.strip():
        raise InputError(f"{name}: the file is empty; give {FORMATS}")
    data = _unpacked(data, name)
    recoded = data.startswith(_UTF_16)  # Windows PowerShell's `>` writes UTF-16, with line ends of its own
    if recoded:
        try:
            data = data.decode("utf-16").encode()
        except UnicodeDecodeError:
            raise InputError(f"{name}: damaged UTF-16; save it as it came, in a binary-safe way") from None
    for exchange in _detected(data, name):
        found = exchange
        if recoded:
            found = replace(found, fidelity=replace(found.fidelity, framing=False))
        if request is not None and found.request is None:
            found = replace(found, request=request, asked_mode=found.asked_mode or asked_mode(request))
        yield found


def _detected(data: bytes, name: str) -> Iterator[Exchange]:
    text = data.removeprefix(BOM).lstrip(b" \t\r\n")
    if http_response.is_response(text):
        return http_response.exchanges(text, name)
    if text[:1] in (b"{", b"["):
        return _json(data, text, name)
    if cassette.is_cassette(text):
        return cassette.exchanges(data, name)
    if kind_of(decode_body(data, {}, Marks())) in ("sse", "json"):
        return _raw(data, name)
    raise InputError(f"{name}: no exchange is known by this content; give {FORMATS}")


def _json(data: bytes, text: bytes, name: str) -> Iterator[Exchange]:
    try:
        document = decoded(text)
    except ValueError:
        # More than one document, or a damaged body: reading it says so.
        return json_lines.of_lines(text, name) if json_lines.is_lines(text) else _raw(data, name)
    if capture.is_capture(document):
        return iter([capture.exchange(document, name, 0)])
    if har.is_har(document):
        return har.exchanges(document, name)
    if cassette.is_document(document):
        return cassette.exchanges(data, name)
    if request_body.is_request(document):
        return iter([request_body.exchange(document, name)])
    if json_lines.is_chunk(document):
        return json_lines.of_array([document], name) if b"\n" in text.strip() else json_lines.of_lines(text, name)
    if json_lines.is_array(document):
        return json_lines.of_array(document, name)
    return _raw(data, name)


def _raw(data: bytes, name: str) -> Iterator[Exchange]:
    """A body as it is; nothing is known about status and headers."""
    yield Exchange(source=f"{name}#0", body=data, status=None, fidelity=Fidelity(headers=False))


def _unpacked(data: bytes, name: str) -> bytes:
    """Undo the compression of a file. A compressed stream that was cut stays as it is: reading it says so."""
    if not data.startswith(_COMPRESSED):
        return data
    marks = Marks()
    plain = decode_body(data, {}, marks)
    if Fact.ENCODING_UNDECLARED not in marks:
        raise InputError(f"{name}: the compressed file is damaged; unpack it yourself or fetch it again")
    if Fact.ENCODING_CUT not in marks:
        return plain
    if kind_of(plain) == "sse":
        return data
    raise InputError(f"{name}: the compressed file ends early, or is too large unpacked; unpack it yourself")


def _bytes_of(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    path = Path(name)
    try:
        if path.stat().st_size > MAX_FILE:
            raise InputError(f"{name}: the file has more than {MAX_FILE // 2**20} MiB; split it")
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{name}: there is no such file; check the path") from None
    except IsADirectoryError:
        raise InputError(f"{name}: this is a folder; name the files in it ({name.rstrip('/')}/*)") from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{name}: cannot be read ({why}); check the path and its permissions") from None
