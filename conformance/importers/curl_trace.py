"""What `curl --trace FILE` writes: every byte sent and received, in hexadecimal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from conformance.errors import InputError
from conformance.importers import http_response
from conformance.importers.common import asked_mode, request_of, text_of
from conformance.model import Exchange

_STAMP: Final = rb"(?:\d\d:\d\d:\d\d\.\d+ )?(?:\[\d+-\d+\] )?"  # --trace-time, --trace-ids
_BEGINS: Final = re.compile(_STAMP + rb"(?:== Info: |=> Send |<= Recv )|(?:Note|Warning): ")
_SECTION: Final = re.compile(_STAMP + rb"(==|=>|<=) (Info|(?:Send|Recv) (?:header|data|SSL data))\b")
_ANY: Final = re.compile(rb"^" + _STAMP + rb"(?:=> Send|<= Recv) (?:header|data)", re.MULTILINE)
_DUMP: Final = re.compile(rb"[0-9a-f]{4,8}: (.*)")
_LEADING_ON: Final = frozenset((301, 302, 303, 307, 308, 401, 407))
"""Statuses that another request follows."""
_HEX_COLUMNS: Final = 16 * 3
_HEX: Final = re.compile(rb"(?:[0-9a-f]{2} ){0,16} *")


def is_trace(text: bytes) -> bool:
    """Whether a text is a trace of curl's, in hexadecimal or not."""
    return _BEGINS.match(text) is not None and _ANY.search(text) is not None


def exchanges(text: bytes, name: str) -> Iterator[Exchange]:
    """The exchanges in a trace, each with the request body that was sent for it.

    Answers before the last one that only lead to another request (of a proxy, redirects, asking for credentials) are
    passed over.

    Raises:
        InputError: there is no response in it, or it was made with `--trace-ascii`, which does not keep line ends.
    """
    answered = [(sent, received) for sent, received in _requests(text, name) if http_response.is_response(received)]
    if not answered:
        raise InputError(f"{name}: curl got no response; give the trace of a request that was answered")
    position = 0
    for number, (sent, received) in enumerate(answered, start=1):
        request = request_of(sent)
        for exchange in http_response.exchanges(received, name):
            if number == len(answered) or (exchange.body and exchange.status not in _LEADING_ON):
                yield replace(
                    exchange,
                    source=f"{name}#{position}",
                    request=request,
                    asked_mode=asked_mode(request),
                    model=text_of((request or {}).get("model")),
                )
                position += 1


def _requests(text: bytes, name: str) -> Iterator[tuple[bytes, bytes]]:
    """The body of each request, and all that was received for it."""
    sent: list[bytes] = []
    received: list[bytes] = []
    for kind, data in _sections(text, name):
        if kind == b"Send header":
            yield b"".join(sent), b"".join(received)
            sent, received = [], []
        elif kind == b"Send data":
            sent.append(data)
        elif kind.startswith(b"Recv "):
            received.append(data)
    yield b"".join(sent), b"".join(received)


def _sections(text: bytes, name: str) -> Iterator[tuple[bytes, bytes]]:
    """What was sent or received, piece by piece; encrypted bytes and remarks are passed over."""
    kind = b""
    pieces: list[bytes] = []
    for line in text.splitlines():
        section = _SECTION.match(line)
        if section is not None:
            if pieces:
                yield kind, b"".join(pieces)
            kind, pieces = section[2], []
            continue
        dump = _DUMP.match(line)
        if dump is not None and kind in (b"Send header", b"Send data", b"Recv header", b"Recv data"):
            pieces.append(_bytes(dump[1], name))
    if pieces:
        yield kind, b"".join(pieces)


def _bytes(dump: bytes, name: str) -> bytes:
    columns = dump[:_HEX_COLUMNS]
    if _HEX.fullmatch(columns) is None or not columns.strip():
        raise InputError(
            f"{name}: a trace without the bytes themselves; --trace-ascii does not keep line ends, use --trace FILE"
        )
    return bytes.fromhex(columns.decode("ascii"))
