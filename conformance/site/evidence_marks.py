"""Which bytes of an answer a finding is about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from conformance.run.rows import WhereRow
from conformance.wire.source import span_of
from conformance.wire.sse import BOM
from conformance.wire.transcript import Transcript

_LINE: Final = re.compile(rb"[^\r\n]+")
_DIGITS: Final = 9


@dataclass(frozen=True, slots=True)
class Mark:
    """A part of a body.

    Attributes:
        start, end: its bytes in the body after content decoding.
        event: number of the event it lies in, None in a JSON body.
        pointer: what is marked: the place itself or, where nothing stands there, the nearest thing around it.
        missing: whether nothing stands at the place itself.
    """

    start: int
    end: int
    event: int | None
    pointer: str
    missing: bool


def mark(transcript: Transcript, where: WhereRow) -> Mark | None:
    """The part that a place names.

    Args:
        transcript: what was read from the answer.
        where: of a finding in it.

    Returns:
        The part; None if the place is the answer as a whole, or not one of this answer.
    """
    event = where["event"]
    if event is None:
        if transcript.kind != "json" or not where["pointer"]:
            return None
        return _within(transcript.body, 0, None, where["pointer"])
    offsets = transcript.event_offsets
    if not 0 <= event < len(offsets) or where["byte"] not in (None, offsets[event]):
        return None
    start, end = extent(transcript, event)
    begin, document = _document(transcript.body[start:end])
    return _within(document, start + begin, event, where["pointer"])


def extent(transcript: Transcript, event: int) -> tuple[int, int]:
    """The bytes of an event, up to the next one: blank lines and comments behind it included."""
    offsets = transcript.event_offsets
    return offsets[event], offsets[event + 1] if event + 1 < len(offsets) else len(transcript.body)


def _document(event: bytes) -> tuple[int, bytes]:
    """Where the data of an event begins, and the data; what stands between data of several lines becomes spaces."""
    lines: list[tuple[int, int]] = []
    for found in _LINE.finditer(event):
        field, colon, value = found[0].partition(b":")
        if field.removeprefix(BOM) == b"data":
            begin = found.end() - len(value) + value.startswith(b" ") if colon else found.end()
            lines.append((begin, found.end()))
    if not lines:
        return 0, event
    start, end = lines[0][0], lines[-1][1]
    canvas = bytearray(b" " * (end - start))
    for begin, stop in lines:
        canvas[begin - start : stop - start] = event[begin:stop]
    return start, bytes(canvas)


def _within(document: bytes, base: int, event: int | None, pointer: str) -> Mark:
    """The value at a pointer, or the innermost one around where it would stand."""
    text = document.decode("utf-8", "surrogateescape")
    steps = pointer.split("/")[1:]
    for length in range(len(steps), 0, -1):
        found = _span(text, steps[:length])
        if found is not None:
            start, end = (base + _size(text[:place]) for place in found)
            return Mark(start, end, event, "/" + "/".join(steps[:length]), length < len(steps))
    return Mark(base, base + len(document.rstrip()), event, "", bool(steps))


def _span(text: str, steps: Sequence[str]) -> tuple[int, int] | None:
    path: list[str | int] = []
    for step in steps:
        position = int(step) if step.isascii() and step.isdecimal() and len(step) < _DIGITS else None
        if position is not None and span_of(text, [*path, position]) is not None:
            path.append(position)
        else:
            path.append(step.replace("~1", "/").replace("~0", "~"))
    return span_of(text, path)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))
