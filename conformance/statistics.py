"""What counts say about rates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def turned(then: int, of_then: int, now: int, of_now: int) -> bool:
    """Whether something always showed and now never does, both settled (`decided`): four times each at least.

    A rate that stayed the same looks so in (1/2)^8 = 0.4 % of the cases at most, which is at a rate of one half.
    """
    return then == of_then and now == 0 and decided(then, of_then) and decided(now, of_now)


_NEGLIGIBLE: Final = 1e-20
_TIE: Final = 1 + 1e-7
"""Tables that are equally likely differ in their last digits."""


def fisher(shown: int, of: int, then: int, of_then: int) -> float:
    """How likely two counts differ at least this much if the rate behind both is the same: Fisher's exact test.

    Two-sided: the sum over all tables with the same margins that are no likelier than this one (Freeman & Halton 1951).
    It holds for counts however small. Where the same scenarios are asked both times it errs on the side of silence.

    Args:
        shown, of: how often something was seen, and how often it could have been.
        then, of_then: the same at another time.

    Returns:
        The p-value; below 1e-20 it may be 0.

    Raises:
        ValueError: counts that cannot be.
    """
    if not (0 <= shown <= of and 0 <= then <= of_then):
        raise ValueError(f"{shown} out of {of} and {then} out of {of_then} cannot be")
    total, seen = of + of_then, shown + then
    mode = (seen + 1) * (of + 1) // (total + 2)
    likelihood = {mode: 1.0}
    likelihood.update(_upwards(mode, of, of_then, seen))
    likelihood.update((of - count, weight) for count, weight in _upwards(of - mode, of, of_then, total - seen))
    limit = likelihood.get(shown, 0.0) * _TIE
    unlikely = sum(weight for weight in likelihood.values() if weight <= limit)
    return min(1.0, unlikely / sum(likelihood.values()))


def _upwards(start: int, of: int, of_then: int, seen: int) -> Iterator[tuple[int, float]]:
    """Counts above one out of `of`, if `seen` are spread over both at random: how likely each, relative to that one."""
    weight = 1.0
    for count in range(start, min(of, seen)):
        weight *= (seen - count) * (of - count) / ((count + 1) * (of_then - seen + count + 1))
        if weight < _NEGLIGIBLE:
            return
        yield count + 1, weight


def holm(values: Sequence[float], alpha: float) -> list[bool]:
    """Which of many p-values stand, if the chance that any of them is a false alarm is to be `alpha` at most.

    Holm's procedure (1979); it holds however the tests depend on each other.
    """
    stands = [False] * len(values)
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        if values[place] > alpha / (len(values) - rank):
            break
        stands[place] = True
    return stands
