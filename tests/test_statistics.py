"""Intervals for rates, and whether two of them differ."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.statistics import decided, fisher, holm, wilson


@pytest.mark.parametrize(
    ("shown", "of", "low", "high"),
    [
        # Newcombe 1998, table I, method 3 (score without continuity correction)
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (0, 0, 0.0, 1.0),
    ],
)
def test_published_intervals(shown: int, of: int, low: float, high: float) -> None:
    assert wilson(shown, of) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(0, 500).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_it_holds_the_rate_and_mirrors(counts: tuple[int, int]) -> None:
    shown, of = counts
    low, high = wilson(shown, of)
    assert 0 <= low <= high <= 1
    if of:
        assert low <= shown / of <= high
    assert wilson(of - shown, of) == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize(("shown", "of"), [(-1, 2), (3, 2)])
def test_counts_that_cannot_be(shown: int, of: int) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        wilson(shown, of)


def test_when_it_is_settled() -> None:
    assert [n for n in range(7) if decided(0, n)] == [4, 5, 6]
    assert [n for n in range(7) if decided(n, n)] == [4, 5, 6]
    assert not decided(3, 6)


@pytest.mark.parametrize(
    ("shown", "of", "then", "of_then", "p"),
    [
        (3, 4, 1, 4, 34 / 70),  # the lady who tasted tea, Fisher 1935: 34 of the 70 ways are no likelier
        (2, 17, 10, 13, 0.0005367),  # twins and convictions, Fisher 1962
        (0, 5, 0, 9, 1.0),
        (4, 4, 9, 9, 1.0),
        (0, 0, 3, 4, 1.0),
    ],
)
def test_published_comparisons(shown: int, of: int, then: int, of_then: int, p: float) -> None:
    assert fisher(shown, of, then, of_then) == pytest.approx(p, abs=5e-8)


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, int, int, int]:
    of, of_then = draw(st.integers(0, 60)), draw(st.integers(0, 60))
    return draw(st.integers(0, of)), of, draw(st.integers(0, of_then)), of_then


@given(tables())
def test_it_is_the_sum_over_all_tables_that_are_no_likelier(table: tuple[int, int, int, int]) -> None:
    shown, of, then, of_then = table
    seen = shown + then
    ways = [comb(of, n) * comb(of_then, seen - n) for n in range(seen + 1)]  # whole numbers: nothing is rounded
    assert fisher(*table) == pytest.approx(sum(way for way in ways if way <= ways[shown]) / sum(ways))
    assert fisher(then, of_then, shown, of) == pytest.approx(fisher(*table))


def test_many_exchanges_are_compared_as_well() -> None:
    half, million = 500_000, 1_000_000
    assert fisher(half, million, half, million) == pytest.approx(1)
    # far from the edges it is the normal distribution: 1386 apart are 1.96 standard deviations of the difference
    assert fisher(half + 693, million, half - 693, million) == pytest.approx(0.05, abs=0.001)
    assert fisher(0, million, million, million) == 0


@pytest.mark.parametrize("table", [(-1, 2, 0, 1), (3, 2, 0, 1), (0, 1, 2, 1)])
def test_tables_that_cannot_be(table: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        fisher(*table)


def test_of_many_values_only_small_enough_ones_stand() -> None:
    # Holm 1979: 0.05 / 4, / 3, / 2, / 1 from the smallest on, until one is above
    assert holm([0.01, 0.04, 0.03, 0.005], 0.05) == [True, False, False, True]
    assert holm([0.01, 0.02, 0.03, 0.04], 0.05) == [True, False, False, False]
    assert holm([], 0.05) == []


@given(st.lists(st.floats(0, 1), max_size=20))
def test_it_lies_between_one_test_and_bonferroni(values: list[float]) -> None:
    for value, stands in zip(values, holm(values, 0.05), strict=True):
        assert value <= 0.05 or not stands
        assert stands or value > 0.05 / len(values)
