"""Tell what a file is, and hand it to the importer of that format."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from conformance.errors import ConformanceError, InputError
from conformance.importers import capture, cassette, har, http_response, json_lines
from conformance.model import Exchange, Fidelity
from conformance.wire.body import kind_of
from conformance.wire.sse import BOM

FORMATS: Final = (
    "a raw SSE body, a JSON body, a raw HTTP response (curl -i), JSON Lines of chunks, a vcrpy cassette, a HAR,"
    " or a capture file"
)
MAX_FILE: Final = 512 * 1024 * 1024


def load(source: str | Path, request: Mapping[str, Any] | None = None) -> Iterator[Exchange]:
    """Read the exchanges of one file.

    Args:
        source: a path, or `-` for standard input.
        request: the request body the exchanges answer, where the format does not carry it.

    Yields:
        Exchanges named `source#position`.

    Raises:
        InputError: the file cannot be read, or holds nothing that is known here.
    """
    name = str(source)
    data = _bytes_of(name)
    yield from from_bytes(data, name, request)


def from_bytes(data: bytes, name: str, request: Mapping[str, Any] | None = None) -> Iterator[Exchange]:
    """Read the exchanges in the bytes of a file called `name`; see `load`."""
    if data.startswith(b"\x1f\x8b") and name.endswith(".gz") and not name.endswith(".sse.gz"):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError) as error:
            raise InputError(
                f"{name}: the gzip file is damaged ({error}); unpack it yourself or fetch it again"
            ) from error
    text = data.removeprefix(BOM).lstrip(b" \t\r\n")
    if not text:
        raise InputError(f"{name}: the file is empty; give {FORMATS}")
    try:
        if http_response.is_response(text):
            yield from http_response.exchanges(text, name, request)
        elif text[:1] in (b"{", b"["):
            yield from _json(data, text, name, request)
        elif cassette.is_cassette(text):
            yield from cassette.exchanges(data, name)
        elif kind_of(data) == "sse" or not _printable(text):
            yield _raw(data, name, request)
        else:
            raise InputError(f"{name}: this is no exchange; give {FORMATS}")
    except ConformanceError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"{name}: the file is damaged ({type(error).__name__}: {error}); give {FORMATS}") from error


def _json(data: bytes, text: bytes, name: str, request: Mapping[str, Any] | None) -> Iterator[Exchange]:
    try:
        document = orjson.loads(text)
    except orjson.JSONDecodeError:
        if json_lines.is_lines(text):
            yield from json_lines.exchanges(text, name, request)
            return
        yield _raw(data, name, request)  # a damaged JSON body: reading it says so
        return
    if capture.is_capture(document):
        yield capture.exchange(document, name, 0)
    elif har.is_har(document):
        yield from har.exchanges(document, name)
    elif cassette.is_document(document):
        yield from cassette.exchanges(data, name)
    elif isinstance(document, list) and document and all(capture.is_capture(item) for item in document):
        for position, item in enumerate(document):
            yield capture.exchange(item, name, position)
    elif json_lines.is_chunks(document):
        yield from json_lines.exchanges(text, name, request)
    else:
        yield _raw(data, name, request)


def _raw(data: bytes, name: str, request: Mapping[str, Any] | None) -> Exchange:
    """A body as it is; whether a stream was asked for is known from the request only."""
    asked = None if request is None else "stream" if request.get("stream") else "complete"
    return Exchange(
        source=f"{name}#0",
        body=data,
        request=request,
        asked_mode=asked,  # type: ignore[arg-type]
        fidelity=Fidelity(headers=False),
    )


def _printable(text: bytes) -> bool:
    return (
        all(byte >= 0x20 or byte in b"\t\r\n\x1b" for byte in text[:64])
        and text[:64].decode("utf-8", "replace").count("\ufffd") < 2
    )


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
    except OSError as error:
        raise InputError(f"{name}: cannot be read ({error.strerror}); check the path and its permissions") from None
