"""Long runs of equal events become one row, and what is still too long loses its middle."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from conformance.view.timeline import Event

FOLDED_FROM: Final = 4
"""Events of one shape in a row from which on they are one row."""


@dataclass(frozen=True, slots=True)
class Row:
    """One event, or a run of events that differ in their text only."""

    events: Sequence[Event]

    @property
    def first(self) -> Event:
        """The first of them."""
        return self.events[0]

    @property
    def last(self) -> Event:
        """The last of them."""
        return self.events[-1]


@dataclass(frozen=True, slots=True)
class Gap:
    """Rows that are left out: how many, and the first and last event in them."""

    rows: int
    first: int
    last: int


def folded(events: Iterable[Event], apart: Collection[int] = ()) -> list[Row]:
    """Rows for events; those whose number is in `apart` stay rows of their own."""
    rows: list[Row] = []
    run: list[Event] = []
    shape: object = None
    for event in events:
        now = None if event.number in apart else event.shape
        if run and (now is None or now != shape):
            rows += _rows(run)
            run = []
        run.append(event)
        shape = now
    return rows + _rows(run)


def _rows(run: list[Event]) -> list[Row]:
    return [Row(run)] if len(run) >= FOLDED_FROM else [Row([event]) for event in run]


def bounded(rows: Sequence[Row], limit: int | None, wanted: Collection[int] = ()) -> list[Row | Gap]:
    """At most `limit` rows, with a `Gap` wherever some are left out.

    Args:
        rows: in order.
        limit: None for all.
        wanted: events to keep before others; they get at most half of the rows, the beginning and the end the rest.
    """
    if limit is None or len(rows) <= limit:
        return list(rows)
    kept = {at for at, row in enumerate(rows) if row.first.number in wanted}
    kept = set(sorted(kept)[: limit // 2])
    front, back = 0, len(rows) - 1
    while len(kept) < limit:
        # two of the beginning for one of the end
        if len(kept) % 3 < 2:
            kept.add(front)
            front += 1
        else:
            kept.add(back)
            back -= 1
    return _with_gaps(rows, kept)


def _with_gaps(rows: Sequence[Row], kept: Collection[int]) -> list[Row | Gap]:
    found: list[Row | Gap] = []
    start: int | None = None
    for at, row in enumerate(rows):
        if at in kept:
            if start is not None:
                found.append(Gap(at - start, rows[start].first.number, rows[at - 1].last.number))
                start = None
            found.append(row)
        elif start is None:
            start = at
    if start is not None:
        found.append(Gap(len(rows) - start, rows[start].first.number, rows[-1].last.number))
    return found
