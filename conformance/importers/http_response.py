"""Raw HTTP responses, as `curl -i` prints it: status line, headers, blank line, body."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from conformance.errors import InputError
from conformance.importers.common import decoded, honest, moment
from conformance.importers.interaction import headers_of
from conformance.model import End, Exchange
from conformance.wire.body import kind_of

_STATUS: Final = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})[^\r\n]*\r?\n")
_HEAD_END: Final = re.compile(rb"\r?\n\r?\n")
_NEXT: Final = re.compile(rb"(?:\A|(?<=[\r\n}\]]))HTTP/\d(?:\.\d)? \d{3}[^\r\n]*\r?\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:")
"""A status line with a header, at the beginning of a line or after JSON: no body has that in it."""
_EMPTY_LINES: Final = (b"\n\n", b"\n\r\n", b"\r\r")
_CHUNK: Final = re.compile(rb"([0-9A-Fa-f]{1,8})(?:;[^\r\n]*)?\r\n")


def is_response(text: bytes) -> bool:
    """Whether the text begins with an HTTP status line."""
    return _STATUS.match(text) is not None


def exchanges(text: bytes, name: str) -> Iterator[Exchange]:
    """The exchanges of one response, or of several that stand one after another.

    Of heads without a body between them the last counts: those before it are 1xx answers and redirects.

    Raises:
        InputError: a head never ends, or a response begins where it cannot be told what the one before it lacks.
    """
    position = 0
    while text:
        exchange, text = _first(text, name, position)
        yield exchange
        position += 1


def _first(text: bytes, name: str, position: int) -> tuple[Exchange, bytes]:
    """The exchange of the first response, and what follows it: nothing, or another one."""
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
    size = _size(rest, headers, name)
    rest, following = rest[:size], rest[size:].lstrip()
    body, ended = _body(rest, headers)
    plain = honest(headers, body)
    announced = plain.get("content-length", "")
    # A pasted text has its line ends changed, an undone coding its length: only an untouched one can be short.
    untouched = plain == headers and b"\n" not in head.replace(b"\r\n", b"")
    if untouched and announced.isdecimal() and len(body) < int(announced):
        ended = End("early-end", f"{len(body)} of {announced} bytes")
    exchange = Exchange(
        source=f"{name}#{position}",
        body=body,
        status=status,
        headers=plain,
        ended=ended,
        recorded_at=moment(plain.get("date")),
    )
    return exchange, following


def _size(rest: bytes, headers: Mapping[str, str], name: str) -> int:
    """The bytes of a body before the next response, or all of them.

    The next one begins where the announced length ends, after the empty line of an event, or after a JSON document.

    Raises:
        InputError: it begins elsewhere.
    """
    announced = headers.get("content-length", "")
    if announced.isdecimal() and _NEXT.match(rest[int(announced) :].lstrip()) is not None:
        return int(announced)
    following = _NEXT.search(rest)
    if following is None:
        return len(rest)
    body = rest[: following.start()]
    if body.endswith(_EMPTY_LINES) or (kind_of(body) == "json" and _is_json(body)):
        return len(body)
    raise InputError(f"{name}: a response begins in the middle of another's body; give each a file of its own")


def _is_json(body: bytes) -> bool:
    try:
        decoded(body)
    except ValueError:
        return False
    return True


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
