"""Intervals for rates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.statistics import decided, wilson


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
