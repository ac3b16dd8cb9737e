"""The past of one cell: what looks at it leave behind."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from conformance.model import Level
from conformance.report.timeline import WINDOW, Change, Looked, at, observe, settled


def day(number: int) -> str:
    return (date(2026, 11, 30) + timedelta(number)).isoformat()


def found(number: int, level: Level = "must") -> Change:
    return Change(day(number), "found", level, 1, 4)


def clear(number: int) -> Change:
    return Change(day(number), "ok", None, 0, 4)


def looks(nights: dict[int, Change], changes: tuple[Change, ...] = ()) -> tuple[Change, ...]:
    """Take one look after the other, in the order given."""
    looked = Looked()
    for number, seen in nights.items():
        changes = observe(changes, seen, day(number), looked)
        looked = looked.on(day(number))
    return changes


def told(changes: tuple[Change, ...]) -> list[tuple[str, str]]:
    return [(one.day, one.state) for one in changes]


def test_a_change_is_a_line_and_a_night_like_the_last_is_none() -> None:
    nights = {0: clear(0), 1: clear(1), 2: found(2), 3: found(3), 9: found(9), 200: clear(200)}
    assert told(looks(nights)) == [(day(0), "ok"), (day(2), "found"), (day(200), "ok")]


def test_an_older_recording_dates_a_change_back_but_not_beyond_the_look_before() -> None:
    assert told(looks({5: found(2)})) == [(day(2), "found")]
    assert told(looks({1: clear(1), 5: found(3)})) == [(day(1), "ok"), (day(3), "found")]
    assert told(looks({4: clear(4), 5: found(2)})) == [(day(4), "ok"), (day(5), "found")]


def test_a_graver_level_is_a_change_and_a_milder_one_is_not() -> None:
    changes = looks({0: found(0, "should"), 1: found(1, "must"), 2: found(2, "info")})
    assert [(one.day, one.level) for one in changes] == [(day(0), "should"), (day(1), "must")]


def test_a_look_into_the_past_is_about_its_own_day() -> None:
    nights = {0: found(0), 10: found(10), 20: found(20)}
    assert told(looks({**nights, 5: clear(5)})) == [(day(0), "found"), (day(5), "ok"), (day(10), "found")]


def test_a_look_before_all_others_moves_since_back() -> None:
    assert told(looks({10: found(10), 3: found(3)})) == [(day(3), "found")]
    assert told(looks({10: found(10), 3: clear(3)})) == [(day(3), "ok"), (day(10), "found")]


def test_the_same_day_read_again_otherwise_is_corrected() -> None:
    looked = Looked().on(day(5))
    first = observe((), found(2), day(5), Looked())
    assert told(observe(first, clear(1), day(5), looked)) == [(day(1), "ok")]


def test_three_changes_in_short_order_are_one_coming_and_going() -> None:
    changes = looks({0: clear(0), 10: found(10), 11: clear(11), 30: found(30)})
    assert told(changes) == [(day(0), "ok"), (day(10), "varies")]
    assert (changes[1].found, changes[1].missed) == (day(30), day(29))
    assert changes[1].text == f"comes and goes since {day(10)}"


def test_three_changes_far_apart_are_three() -> None:
    nights = {0: clear(0), 10: found(10), 40: clear(40), 10 + WINDOW + 1: found(10 + WINDOW + 1)}
    assert len(looks(nights)) == 4


def test_coming_and_going_ends_dated_to_when_it_did() -> None:
    nights = {0: clear(0), 1: found(1), 2: clear(2), 3: found(3)}
    nights |= {number: clear(number) for number in range(4, 4 + WINDOW)}
    assert told(looks(nights)) == [(day(0), "ok"), (day(1), "varies"), (day(4), "ok")]
    del nights[3 + WINDOW]
    assert told(looks(nights)) == [(day(0), "ok"), (day(1), "varies")]


def test_ten_years_of_a_coin_leave_a_line() -> None:
    nights = {number: (found if number % 2 else clear)(number) for number in range(3650)}
    assert len(looks(nights)) == 2


def test_two_branches_that_disagree_about_a_day_found_it() -> None:
    assert settled([clear(3), found(3)], day(3)) == settled([found(3), clear(3)], day(3)) == (found(3),)


nights = st.dictionaries(st.integers(0, 400), st.sampled_from(["found", "should", "ok"]), min_size=1, max_size=60)


def _seen(number: int, what: str) -> Change:
    return clear(number) if what == "ok" else found(number, "should" if what == "should" else "must")


@given(nights)
def test_by_day_every_look_is_told_as_it_was(given_nights: dict[int, str]) -> None:
    ordered = {number: _seen(number, what) for number, what in sorted(given_nights.items())}
    changes = looks(ordered)
    assert [one.day for one in changes] == sorted({one.day for one in changes})
    for number, seen in ordered.items():
        known = at(changes, day(number))
        assert known is not None
        assert known.state in (seen.state, "varies")
    last = at(changes, day(max(ordered)))
    assert last == changes[-1]


@given(nights, st.data())
def test_in_any_order_days_are_told_as_they_were_and_nothing_counts_twice(
    given_nights: dict[int, str], data: st.DataObject
) -> None:
    order = data.draw(st.permutations(sorted(given_nights)))
    seen = {number: _seen(number, given_nights[number]) for number in order}
    changes = looks(seen)
    looked = Looked.of((day(number), day(number)) for number in order)
    for number in order:
        known = at(changes, day(number))
        assert known is not None
        assert known.state in (seen[number].state, "varies")
        assert observe(changes, seen[number], day(number), looked) == changes
    assert settled(changes, looked.last) == changes


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 3)), max_size=20), st.integers(0, 70))
def test_spans_are_the_days_they_stand_for(spans: list[tuple[int, int]], number: int) -> None:
    days = {first + more for first, length in spans for more in range(length + 1)}
    looked = Looked.of((day(first), day(first + length)) for first, length in spans)
    assert looked.before(day(number)) == max((day(one) for one in days if one < number), default="")
    assert looked.after(day(number)) == min((day(one) for one in days if one > number), default="")
    assert looked.on(day(number)) == Looked.of([*looked.spans, (day(number), day(number))])
    assert all(_gap(a, b) > 1 for (_, a), (b, _) in zip(looked.spans, looked.spans[1:], strict=False))


def _gap(first: str, last: str) -> int:
    return (date.fromisoformat(last) - date.fromisoformat(first)).days
