"""What a count says about a rate."""

from __future__ import annotations

from math import sqrt
from typing import Final

Z_95: Final = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""


def wilson(shown: int, of: int) -> tuple[float, float]:
    """The 95 % interval for a rate, after Wilson (1927): it stays inside 0 to 1 and is of use for small counts.

    Args:
        shown: how often something was seen.
        of: how often it could have been; 0 gives the whole range.

    Raises:
        ValueError: counts that cannot be.
    """
    if not 0 <= shown <= of:
        raise ValueError(f"{shown} out of {of} cannot be")
    if of == 0:
        return 0.0, 1.0
    rate = shown / of
    square = Z_95**2
    centre = (rate + square / (2 * of)) / (1 + square / of)
    half = Z_95 * sqrt(rate * (1 - rate) / of + square / (4 * of**2)) / (1 + square / of)
    return (0.0 if shown == 0 else centre - half, 1.0 if shown == of else centre + half)


def decided(shown: int, of: int) -> bool:
    """Whether it is settled that something is the rule or the exception: the interval lies on one side of one half."""
    low, high = wilson(shown, of)
    return high < 0.5 or low > 0.5
