"""Adding up tallies: in any order, in any grouping, the same."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from conformance.audit import render
from conformance.audit.scan import Rule
from conformance.audit.summary import summarise
from conformance.audit.tally import NAMED, Tally
from conformance.importers.capture import exchange
from conformance.quirks import judge
from conformance.wire.read import read
from tests.audit.captures import everything

RULE = Rule(by=("provider", "model"))
JUDGED = [(one, t := read(exchange(one, f"f{n}", 0)), judge(t)) for n, one in enumerate(everything())]


def tally(numbers: list[int]) -> Tally:
    """Those exchanges, counted one after the other; a problem for each number that divides by seven."""
    counted = Tally()
    for number in numbers:
        one, transcript, verdict = JUDGED[number]
        key = (one["provider"], one["model"])
        counted.add(key, transcript, verdict, one["recorded_at"], (f"f{number}", 0))
        if number % 7 == 0:
            counted.problem(f"f{number}: bad", given=bool(number % 2))
    return counted


def shown(counted: Tally) -> str:
    """Everything it knows."""
    return render.json_(summarise(counted, RULE.by))


@given(st.lists(st.integers(0, len(JUDGED) - 1), max_size=40), st.randoms(), st.integers(1, 6))
def test_order_and_grouping_do_not_matter(numbers: list[int], chance: random.Random, parts: int) -> None:
    at_once = shown(tally(numbers))
    shuffled = numbers.copy()
    chance.shuffle(shuffled)
    tallies = [tally(shuffled[part::parts]) for part in range(parts)]
    chance.shuffle(tallies)
    total = Tally()
    for one in tallies:
        total.merge(one)
    assert shown(total) == at_once


def test_problems_are_all_counted_and_some_are_named() -> None:
    total = Tally()
    for number in reversed(range(NAMED * 3)):
        total.problem(f"file {number}", given=False)
    assert total.bad == NAMED * 3
    assert total.problems == [f"file {number}" for number in range(NAMED)]
