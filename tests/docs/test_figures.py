"""Figures in the pages that follow from nothing but arithmetic."""

from __future__ import annotations

import re

import pytest

from conformance.statistics import decided
from tests.docs.blocks import ROOT


def taken_for_the_rule(rate: float, most: int) -> float:
    """The chance that repeating ends with "it is the rule" for a quirk that shows at this rate, below one half."""
    open_counts, wrong = {0: 1.0}, 0.0
    for number in range(1, most + 1):
        following: dict[int, float] = {}
        for shown, chance in open_counts.items():
            for count, share in ((shown + 1, rate), (shown, 1 - rate)):
                if not decided(count, number):
                    following[count] = following.get(count, 0.0) + chance * share
                elif count > number / 2:
                    wrong += chance * share
        open_counts = following
    return wrong


def test_what_stopping_early_costs() -> None:
    page = " ".join((ROOT / "docs" / "verdicts-and-statistics.md").read_text(encoding="utf-8").split())
    said = re.search(
        r"with up to (\d+) repetitions, a quirk that shows in (\d+) % of answers is taken for the rule in ([\d.]+) % "
        r"of the cells, one that shows in (\d+) % in ([\d.]+) %",
        page,
    )
    assert said is not None
    most, rate, chance, other, more = map(float, said.groups())
    assert 100 * taken_for_the_rule(rate / 100, int(most)) == pytest.approx(chance, abs=0.05)
    assert 100 * taken_for_the_rule(other / 100, int(most)) == pytest.approx(more, abs=0.05)
