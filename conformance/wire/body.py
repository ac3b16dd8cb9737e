"""From received bytes to the decoded body, and what kind of document it is."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal

import brotli
import zstandard

from conformance.wire.facts import Fact, Marks
from conformance.wire.sse import BOM

MAX_DECODED: Final = 64 << 20
"""Bytes a compressed body may grow to; what goes beyond is not decoded (a fact says the body is cut)."""
_STEP: Final = 512
"""Bytes decoded at once: of Zstandard they grow to 16 MiB at most. Brotli knows no such bound, and takes a limit."""
_ROOM: Final = 1 << 20

_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_SSE_STARTS: Final = (b"data:", b":", b"event:", b"id:", b"retry:", b"data\n", b"data\r")

Kind = Literal["sse", "json", "empty", "other"]


def decode_body(body: bytes, headers: Mapping[str, str], facts: Marks, limit: int = MAX_DECODED) -> bytes:
    """Undo the content codings, those that `content-encoding` names and those that the bytes give away.

    Args:
        body: as received.
        headers: names in lower case.
        facts: receives `ENCODING_*`.
        limit: bytes to decode at most, or a little more.

    Returns:
        The decoded body; as much of it as decodes when the compressed one is cut or grows too large.
    """
    declared = [c.strip().lower() for c in headers.get("content-encoding", "").split(",")]
    for coding in reversed([c for c in declared if c not in ("", "identity")]):
        decoded = _decode(body, coding, facts, limit)
        if decoded is None:
            facts.note(Fact.ENCODING_FALSE, None, spelling=coding, sample=coding)
            break
        body = decoded
    for magic, coding in ((_GZIP, "gzip"), (_ZSTD, "zstd")):
        if body.startswith(magic):
            decoded = _decode(body, coding, facts, limit)
            if decoded is not None:
                facts.note(Fact.ENCODING_UNDECLARED, None, spelling=coding, sample=coding)
                return decoded
    if body and not _textual(body):
        for coding in ("deflate", "br"):
            decoded = _decode(body, coding, Marks(), limit)
            if decoded and kind_of(decoded) in ("sse", "json"):
                facts.note(Fact.ENCODING_UNDECLARED, None, spelling=coding, sample=coding)
                return decoded
    return body


def _textual(body: bytes) -> bool:
    start = body[:64].lstrip(b" \t\r\n")
    return not start or start[:1] in (b"{", b"[", b":", b"<") or start.startswith((*_SSE_STARTS, BOM))


def _decode(body: bytes, coding: str, facts: Marks, limit: int) -> bytes | None:
    """Decode one coding; None if the bytes are not in it."""
    if not body:
        return body
    try:
        if coding in ("gzip", "x-gzip"):
            if not body.startswith(_GZIP):
                return None
            return _inflate(body, 31, facts, limit)
        if coding == "deflate":
            try:
                return _inflate(body, 15, facts, limit)
            except zlib.error:
                return _inflate(body, -15, facts, limit)
        if coding == "br":
            return _brotli(body, facts, limit)
        if coding == "zstd":
            return _zstd(body, facts, limit)
    except (zlib.error, brotli.error, zstandard.ZstdError, gzip.BadGzipFile, EOFError):
        return None
    return None


def _inflate(body: bytes, wbits: int, facts: Marks, limit: int) -> bytes:
    out: list[bytes] = []
    size = 0
    rest = body
    while rest:
        stream = zlib.decompressobj(wbits)
        try:
            piece = stream.decompress(rest, limit + 1 - size)
        except zlib.error:
            if not out:
                raise
            facts.note(Fact.ENCODING_CUT, None)
            break
        out.append(piece)
        size += len(piece)
        if not stream.eof or size > limit:
            facts.note(Fact.ENCODING_CUT, None)
            break
        rest = stream.unused_data
        if not rest.startswith(_GZIP) or wbits != 31:
            break
    return b"".join(out)


def _brotli(body: bytes, facts: Marks, limit: int) -> bytes:
    stream = brotli.Decompressor()

    def pieces(data: bytes) -> Iterator[bytes]:
        yield stream.process(data, output_buffer_limit=_ROOM)
        while not stream.can_accept_more_data():
            yield stream.process(b"", output_buffer_limit=_ROOM)

    decoded = _fed(body, pieces, brotli.error, facts, limit)
    if not stream.is_finished():
        facts.note(Fact.ENCODING_CUT, None)
    return decoded


def _zstd(body: bytes, facts: Marks, limit: int) -> bytes:
    frame = zstandard.ZstdDecompressor().decompressobj()

    def pieces(data: bytes) -> Iterator[bytes]:
        nonlocal frame
        while data:
            if frame.eof:
                frame = zstandard.ZstdDecompressor().decompressobj()
            yield frame.decompress(data)
            data = frame.unused_data

    decoded = _fed(body, pieces, zstandard.ZstdError, facts, limit)
    if not frame.eof:
        facts.note(Fact.ENCODING_CUT, None)
    return decoded


def _fed(
    body: bytes, step: Callable[[bytes], Iterator[bytes]], error: type[Exception], facts: Marks, limit: int
) -> bytes:
    """Decode piece by piece, so that what comes before a damage is kept and a bomb is noticed early."""
    out: list[bytes] = []
    size = 0
    try:
        for start in range(0, len(body), _STEP):
            for piece in step(body[start : start + _STEP]):
                out.append(piece)
                size += len(piece)
                if size > limit:
                    facts.note(Fact.ENCODING_CUT, None)
                    return b"".join(out)
    except error:
        if not any(out):
            raise
        facts.note(Fact.ENCODING_CUT, None)
    return b"".join(out)


def kind_of(body: bytes) -> Kind:
    """Tell SSE from JSON by the bytes, not by what the headers claim."""
    start = body[:4096]
    if start.startswith(BOM):
        start = start[len(BOM) :]
    stripped = start.lstrip(b" \t\r\n")
    if not stripped:
        return "empty" if not body.strip() else "other"
    if stripped.startswith(_SSE_STARTS):
        return "sse"
    if stripped[:1] in (b"{", b"["):
        return "json"
    return "sse" if b"\ndata:" in start or b"\rdata:" in start else "other"
