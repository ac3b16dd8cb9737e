"""A raw HTTP response, as `curl -i` prints it: status line, headers, blank line, body."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from conformance.errors import InputError
from conformance.importers.common import honest, moment
from conformance.importers.interaction import headers_of
from conformance.model import End, Exchange

_STATUS: Final = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})[^\r\n]*\r?\n")
_HEAD_END: Final = re.compile(rb"\r?\n\r?\n")
_CHUNK: Final = re.compile(rb"([0-9A-Fa-f]{1,8})(?:;[^\r\n]*)?\r\n")


def is_response(text: bytes) -> bool:
    """Whether the text begins with an HTTP status line."""
    return _STATUS.match(text) is not None


def exchanges(text: bytes, name: str) -> Iterator[Exchange]:
    """The exchange of the last response head; 1xx answers and redirects before it are passed over.

    Raises:
        InputError: the head never ends.
    """
    status = 200
    headers: dict[str, str] = {}
    head = b""
    rest = text
    while (match := _STATUS.match(rest)) is not None:
        status = int(match.group(1))
        end = _HEAD_END.search(rest)
        if end is None:
            raise InputError(f"{name}: the response head has no end; save the whole output of curl -i")
        head, rest = rest[match.end() : end.start()], rest[end.end() :]
        headers = headers_of(head.decode("latin-1").splitlines())
    body, ended = _body(rest, headers)
    plain = honest(headers, body)
    announced = plain.get("content-length", "")
    # A pasted text has its line ends changed, an undone coding its length: only an untouched one can be short.
    untouched = plain == headers and b"\n" not in head.replace(b"\r\n", b"")
    if untouched and announced.isdecimal() and len(body) < int(announced):
        ended = End("early-end", f"{len(body)} of {announced} bytes")
    yield Exchange(
        source=f"{name}#0",
        body=body,
        status=status,
        headers=plain,
        ended=ended,
        recorded_at=moment(plain.get("date")),
    )


def _body(rest: bytes, headers: dict[str, str]) -> tuple[bytes, End]:
    """curl shows a chunked body joined; a raw dump (`--raw`, a packet capture) still has the chunk sizes."""
    if headers.get("transfer-encoding", "").lower() != "chunked" or _CHUNK.match(rest) is None:
        return rest, End()
    pieces: list[bytes] = []
    at = 0
    while (match := _CHUNK.match(rest, at)) is not None:
        size = int(match.group(1), 16)
        if size == 0:
            return b"".join(pieces), End()
        pieces.append(rest[match.end() : match.end() + size])
        at = match.end() + size + 2
    return b"".join(pieces), End("early-end", "the last chunk is missing")
