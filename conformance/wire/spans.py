"""Where the text stands in a response body: JSON strings, and everything between them that is text.

Redaction must change characters without moving a byte. So each piece of text is found in the bytes as they are,
decoded, and written back character by character, each into the bytes it came from. JSON that was cut or is damaged is
gone through by its quotes, as far as they make sense.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from conformance.wire.body import kind_of
from conformance.wire.decode import NotJSON, decode
from conformance.wire.facts import Marks
from conformance.wire.sse import BOM

Kind = Literal["string", "key", "number", "word", "plain", "field"]
Path = tuple[str | int, ...]

_LINE: Final = re.compile(rb"([^\r\n]*)(\r\n|\n|\r|\Z)")
_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}\[\]:,]', re.DOTALL)
_COLON: Final = re.compile(r"[ \t\r\n]*:")
_UNIT: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL
)
_ESCAPED: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", '"': '"', "\\": "\\", "/": "/"}
_NOTHING: Final = "\ufffd"  # what an unknown escape says: one character that is neither letter nor digit


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text in a body.

    Attributes:
        document: number of the event (counted over those with data) or line it stands in; 0 in a JSON body.
        start, end: its bytes; of a JSON string those between the quotes.
        text: what it says.
        kind: `string` or `key` of a JSON document; `number` or, in a damaged document, `word`: bare between strings;
            `plain`: not JSON; `field`: an SSE field other than data.
        path: keys and positions from the root of its document, itself included; empty for `plain`.
    """

    document: int
    start: int
    end: int
    text: str
    kind: Kind
    path: Path = ()

    @property
    def quoted(self) -> bool:
        """Whether its bytes are the inside of a JSON string."""
        return self.kind in ("string", "key")


def spans(body: bytes) -> Iterator[Span]:
    """All text of a body after content decoding, in order."""
    kind = kind_of(body)
    if kind == "json":
        yield from _document(body, 0, 0)
    elif kind == "sse":
        yield from _stream(body)
    elif body:
        yield _bare(body, 0, 0, "plain")


def rewritten(body: bytes, span: Span, text: str) -> bytes:
    """The bytes of a span that says something else, as many as before.

    Args:
        body: where the span stands.
        span: what is there.
        text: what it is to say, character for character as long in UTF-8 as `span.text`.
    """
    raw = _text(body[span.start : span.end])
    units = _UNIT.findall(raw) if span.quoted else list(raw)
    pairs = zip(units, span.text, text, strict=True)
    written = "".join(unit if old == new else _like(unit, new) for unit, old, new in pairs)
    return written.encode("utf-8", "surrogateescape")


def _stream(body: bytes) -> Iterator[Span]:
    number = 0
    lines: list[tuple[int, int]] = []
    at = len(BOM) if body.startswith(BOM) else 0
    while at < len(body):
        match = _LINE.match(body, at)
        assert match is not None  # the pattern matches anywhere
        start, end = match.span(1)
        at = match.end()
        if start == end:
            yield from _event(body, number, lines)
            number += bool(lines)
            lines = []
            continue
        field, colon, value = body[start:end].partition(b":")
        begin = end - len(value) + value.startswith(b" ") if colon else end
        if field == b"data":
            lines.append((begin, end))
        elif field in (b"event", b"id", b"retry"):
            yield _bare(body[begin:end], number, begin, "field")
        else:
            yield _bare(body[start:end], number, start, "plain")
    yield from _event(body, number, lines)


def _event(body: bytes, number: int, lines: list[tuple[int, int]]) -> Iterator[Span]:
    if not lines:
        return
    start, end = lines[0][0], lines[-1][1]
    if len(lines) == 1:
        data = body[start:end]
    else:
        # data over several lines is one document: what stands between its parts becomes white space
        canvas = bytearray(b" " * (end - start))
        for begin, stop in lines:
            canvas[begin - start : stop - start] = body[begin:stop]
        data = bytes(canvas)
    if data.strip() != b"[DONE]":
        yield from _document(data, number, start)


def _document(data: bytes, number: int, base: int) -> Iterator[Span]:
    bare = data.removeprefix(BOM)
    between: Kind = "number" if _is_json(bare) else "word"
    if between == "number" or bare.lstrip().startswith((b"{", b"[", b'"')):
        yield from _strings(data, number, base, between)
    elif data:
        yield _bare(data, number, base, "plain")


def _is_json(data: bytes) -> bool:
    try:
        decode(data, None, Marks())
    except NotJSON:
        return False
    return True


def _strings(data: bytes, number: int, base: int, between: Kind) -> Iterator[Span]:
    """The strings of a document, each with its path, and the text between them."""
    text = data.decode("latin-1")  # one character a byte, so that positions are those of the bytes
    stack: list[str | int | None] = []  # a position in an array, a key in an object (None before the first)
    last = 0
    for token in _TOKEN.finditer(text):
        start, end = token.span()
        if text[last:start].strip():
            yield _bare(data[last:start], number, base + last, between, _path(stack))
        last = end
        mark = token.group()
        if mark == "{":
            stack.append(None)
        elif mark == "[":
            stack.append(0)
        elif mark in ("}", "]"):
            if stack:
                stack.pop()
        elif mark == ",":
            if stack and isinstance(stack[-1], int):
                stack[-1] += 1
        elif mark != ":":
            start, end = start + 1, end - (len(mark) > 1 and mark.endswith('"'))
            said = _said(_text(data[start:end]))
            key = bool(stack) and not isinstance(stack[-1], int) and _COLON.match(text, last) is not None
            if key:
                stack[-1] = said
            yield Span(number, base + start, base + end, said, "key" if key else "string", _path(stack))
    if text[last:].strip():
        yield _bare(data[last:], number, base + last, between, _path(stack))


def _path(stack: list[str | int | None]) -> Path:
    return tuple("" if step is None else step for step in stack)


def _bare(data: bytes, number: int, base: int, kind: Kind, path: Path = ()) -> Span:
    return Span(number, base, base + len(data), _text(data), kind, path)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _said(raw: str) -> str:
    """The characters of the inside of a JSON string, one for each unit of its text."""
    if "\\" not in raw:
        return raw
    return "".join(_char(unit) for unit in _UNIT.findall(raw))


def _char(unit: str) -> str:
    if len(unit) == 1:
        return unit
    if len(unit) == 2:
        return _ESCAPED.get(unit[1], _NOTHING)
    halves = bytes.fromhex(unit.replace("\\u", ""))
    return halves.decode("utf-16-be", "surrogatepass")


def _like(unit: str, char: str) -> str:
    """A character written as long as the unit it replaces."""
    if "\udc80" <= unit <= "\udcff":  # a byte that is no UTF-8 says nothing
        return unit
    if len(unit) == 1:
        return char
    if len(unit) == 2:
        return char * 2
    halves = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{halves[at : at + 4]}" for at in range(0, len(halves), 4))
