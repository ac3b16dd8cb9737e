"""Long runs become one row, long tables lose their middle, and nothing goes missing without a word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from conformance.view.folding import FOLDED_FROM, Gap, Row, bounded, folded
from conformance.view.timeline import Event, Said

EVENTS = st.lists(st.sampled_from("abc"), max_size=60).map(
    lambda kinds: [Event(i, 10 * i, 10, None, (), (Said(kind, str(i)),)) for i, kind in enumerate(kinds)]
)


def kinds(text: str) -> list[Event]:
    """One event for each letter."""
    return [Event(i, 0, 0, None, (), (Said(kind),)) for i, kind in enumerate(text)]


def shape(rows: list[Row | Gap] | list[Row]) -> list[tuple[int, int]]:
    """First and last event of each row, negative for a gap."""
    return [(-r.first, -r.last) if isinstance(r, Gap) else (r.first.number, r.last.number) for r in rows]


def test_four_alike_are_one_row_and_three_are_not() -> None:
    assert FOLDED_FROM == 4
    assert shape(folded(kinds("abbbbcccd"))) == [(0, 0), (1, 4), (5, 5), (6, 6), (7, 7), (8, 8)]


def test_an_event_with_a_finding_stands_alone() -> None:
    assert shape(folded(kinds("aaaaaaaaa"), apart=[4])) == [(0, 3), (4, 4), (5, 8)]


def test_the_middle_goes_but_not_what_is_wanted() -> None:
    rows = folded(kinds("abcabcabcabc"))
    assert shape(bounded(rows, 4, wanted=[6])) == [(0, 0), (1, 1), (-2, -5), (6, 6), (-7, -10), (11, 11)]


@given(EVENTS, st.sets(st.integers(0, 59), max_size=5), st.none() | st.integers(1, 20))
def test_every_event_is_in_a_row_or_a_gap(events: list[Event], wanted: set[int], limit: int | None) -> None:
    rows = folded(events, wanted)
    assert [e for row in rows for e in row.events] == events
    assert all(row.events == [row.first] for row in rows if row.first.number in wanted)
    shown = bounded(rows, limit, wanted)
    kept = [row for row in shown if isinstance(row, Row)]
    assert len(kept) == (len(rows) if limit is None else min(limit, len(rows)))
    assert sum(row.rows for row in shown if isinstance(row, Gap)) == len(rows) - len(kept)
    numbers = [n for first, last in ((abs(a), abs(b)) for a, b in shape(shown)) for n in range(first, last + 1)]
    assert numbers == list(range(len(events)))
