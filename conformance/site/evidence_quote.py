"""The bytes of an answer as a page shows them: events around the marked part, equal deltas folded, long text cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from conformance.site.evidence_marks import Mark, extent
from conformance.text import plural
from conformance.view.folding import Row, folded
from conformance.view.timeline import Event, timeline
from conformance.wire.transcript import Transcript

BEFORE: Final = 2
AFTER: Final = 2
"""Rows of events shown around a marked one."""
FOLDED: Final = 8
"""Events of a fold that are quoted; the cassette holds all."""
LONGEST: Final = 600
"""Bytes before, between and behind the marks of an event that are shown."""
BODY: Final = 2400
"""The same of a JSON body."""
MARKED: Final = 900
"""Bytes of a marked part that are shown."""

_CHUNK: Final = 400
"""Characters of a piece: as many as fit into what a page shows of one value, were each an escape."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of one line; `cut` is how many bytes are left out here, and then there is no text."""

    text: str
    marked: bool = False
    cut: int = 0


@dataclass(frozen=True, slots=True)
class Quote:
    """Lines of bytes.

    Attributes:
        title: which bytes: `event 3, byte 812`.
        lines: their pieces, line ends left out; a carriage return is part of its line.
        here: whether a part of it is marked.
    """

    title: str
    lines: tuple[tuple[Piece, ...], ...]
    here: bool


@dataclass(frozen=True, slots=True)
class Fold:
    """Events that are shown on demand: what they are in a few words, the first of them, and how many are left out."""

    title: str
    said: str
    quotes: tuple[Quote, ...]
    left_out: int


def short(text: str, limit: int = 400) -> str:
    """A value of a provider; a long one loses its middle and says how long it is."""
    if len(text) <= limit:
        return text
    tail = limit // 3
    return f"{text[: limit - tail]} … {text[-tail:]} ({len(text):,} characters)"


def quotes(transcript: Transcript, marks: Sequence[Mark]) -> list[Quote | Fold]:
    """What to show of an answer.

    Args:
        transcript: what was read from it.
        marks: the parts to mark; without any the beginning and the end are shown.
    """
    if not transcript.body:
        return []
    events = timeline(transcript)
    if not events:
        return [Quote("the body", _lines(transcript.body, 0, marks, BODY), bool(marks))]
    apart = sorted({one.event for one in marks if one.event is not None})
    rows = folded(events, apart)
    wanted = [at for at, row in enumerate(rows) if row.first.number in apart] or [0, len(rows) - 1]
    near = {at for one in wanted for at in range(one - BEFORE, one + AFTER + 1)}
    found: list[Quote | Fold] = []
    far: list[Event] = []
    for at, row in enumerate(rows):
        if at not in near:
            far += row.events
            continue
        found += _far(transcript, far)
        found += _row(transcript, row, marks)
        far = []
    return [*found, *_far(transcript, far)]


def _far(transcript: Transcript, events: Sequence[Event]) -> Iterator[Quote | Fold]:
    """Events that are not near a mark; to unfold a single one would be no gain."""
    if len(events) == 1:
        yield _quote(transcript, events[0], ())
    elif events:
        yield _fold(transcript, events, "event")


def _row(transcript: Transcript, row: Row, marks: Sequence[Mark]) -> Iterator[Quote | Fold]:
    yield _quote(transcript, row.first, marks)
    if len(row.events) > 1:
        yield _fold(transcript, row.events[1:], "delta")


def _fold(transcript: Transcript, events: Sequence[Event], noun: str) -> Fold:
    first, last = events[0].number, events[-1].number
    which = f"event {first}" if first == last else f"events {first} to {last}"
    said = "".join(entry.arguments for event in events for entry in event.entries)
    said = said or "".join(one.text for event in events for one in event.said if one.kind == "content")
    quoted = tuple(_quote(transcript, event, ()) for event in events[:FOLDED])
    return Fold(f"{plural(len(events), f'more {noun}')} ({which})", said, quoted, len(events) - len(quoted))


def _quote(transcript: Transcript, event: Event, marks: Sequence[Mark]) -> Quote:
    start, end = extent(transcript, event.number)
    title = f"event {event.number}, byte {event.byte}"
    if event.at_ms is not None:
        title += f", after {event.at_ms:.0f} ms"
    mine = [one for one in marks if one.event == event.number]
    return Quote(title, _lines(transcript.body[start:end], start, mine, LONGEST), bool(mine))


def _lines(data: bytes, base: int, marks: Sequence[Mark], limit: int) -> tuple[tuple[Piece, ...], ...]:
    """Bytes from `base` on, line by line; blank lines at the end go unless they are marked."""
    lines: list[list[Piece]] = [[]]
    for start, end, marked in _parts(data, base, marks):
        longest = MARKED if marked else limit
        for piece in _shortened(data[start:end], marked, longest, first=start == 0, last=end == len(data)):
            first, *rest = piece.text.split("\n")
            lines[-1].append(Piece(first, marked, piece.cut))
            lines += [[Piece(text, marked)] for text in rest]
    while len(lines) > 1 and not any(p.text.strip() or p.marked or p.cut for p in lines[-1]):
        lines.pop()
    return tuple(tuple(_chunks(line)) for line in lines)


def _parts(data: bytes, base: int, marks: Sequence[Mark]) -> Iterator[tuple[int, int, bool]]:
    """The data cut at the marks; marks that overlap are one."""
    at = 0
    for one in sorted(marks, key=lambda one: (one.start, -one.end)):
        start, end = max(one.start - base, at), min(one.end - base, len(data))
        if end <= at and one.start - base < at:
            continue
        if start > at:
            yield at, start, False
        yield start, end, True
        at = end
    if at < len(data):
        yield at, len(data), False


def _shortened(data: bytes, marked: bool, limit: int, *, first: bool, last: bool) -> Iterator[Piece]:
    """The text of a part; of a long one the ends that lie at a mark or at the beginning of all."""
    if len(data) <= limit:
        yield Piece(_text(data), marked)
        return
    if marked or (first and last):
        head, tail = limit * 2 // 3, limit // 3
    else:  # what stands next to a mark tells where it is
        head, tail = (limit, 0) if last else (limit // 3, limit * 2 // 3)
    end, start = _boundary(data, head), _boundary(data, len(data) - tail)
    yield Piece(_text(data[:end]), marked)
    yield Piece("", marked, start - end)
    if start < len(data):
        yield Piece(_text(data[start:]), marked)


def _boundary(data: bytes, at: int) -> int:
    """The end of a character of UTF-8 at or a little before a place."""
    for place in range(at, max(at - 3, 0), -1):
        if place == len(data) or data[place] & 0xC0 != 0x80:
            return place
    return at


def _chunks(line: Sequence[Piece]) -> Iterator[Piece]:
    for piece in line:
        if piece.cut:
            yield piece
        for at in range(0, len(piece.text), _CHUNK):
            yield Piece(piece.text[at : at + _CHUNK], piece.marked)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")
