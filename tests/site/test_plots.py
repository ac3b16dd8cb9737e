"""How values are counted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from conformance.site.plots import Bin, spread

EDGES = (0, 1, 2, 5, 10)


def test_values_lie_from_the_low_edge_on_and_below_the_high_one() -> None:
    found = spread([0.5, 1, 1.9, 10, 99], EDGES)
    assert found is not None
    assert found.bins == (Bin(0, 1, 1), Bin(1, 2, 2), Bin(2, 5, 0), Bin(5, 10, 0), Bin(10, None, 2))
    assert (found.number, found.least, found.middle, found.most) == (5, 0.5, 1.9, 99)


def test_empty_bins_at_the_ends_are_left_out() -> None:
    found = spread([2.5], EDGES)
    assert found is not None
    assert found.bins == (Bin(2, 5, 1),)


def test_nothing_has_no_spread() -> None:
    assert spread([], EDGES) is None


@given(st.lists(st.floats(0, 1000), min_size=1, max_size=40))
def test_every_value_is_in_one_bin(values: list[float]) -> None:
    found = spread(values, EDGES)
    assert found is not None
    assert sum(one.count for one in found.bins) == len(values)
    for one in found.bins:
        assert one.count == sum(one.low <= value and (one.high is None or value < one.high) for value in values)
