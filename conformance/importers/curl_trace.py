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
_HEX_COLUMNS: Final = 16 * 3
_HEX: Final = re.compile(rb"(?:[0-9a-f]{2} ){0,16} *")


def is_trace(text: bytes) -> bool:
    """Whether a text is a trace of curl's, in hexadecimal or not."""
    return _BEGINS.match(text) is not None and _ANY.search(text) is not None


def exchanges(text: bytes, name: str) -> Iterator[Exchange]:
    """The exchange of the last response in a trace, with the request body that was sent for it.

    Raises:
        InputError: there is no response in it, or it was made with `--trace-ascii`, which does not keep line ends.
    """
    sent: list[bytes] = []
    received: list[bytes] = []
    answered = False
    for kind, data in _sections(text, name):
        if kind == b"Send header":
            sent = []
        elif kind == b"Send data":
            sent.append(data)
        elif kind == b"Recv header" and answered and http_response.is_response(data):
            received, answered = [data], False  # the answer before it was a redirect
        elif kind.startswith(b"Recv "):
            received.append(data)
            answered = answered or kind == b"Recv data"
    whole = b"".join(received)
    if not http_response.is_response(whole):
        raise InputError(f"{name}: curl got no response; give the trace of a request that was answered")
    request = request_of(b"".join(sent))
    for exchange in http_response.exchanges(whole, name):
        yield replace(
            exchange, request=request, asked_mode=asked_mode(request), model=text_of((request or {}).get("model"))
        )


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
