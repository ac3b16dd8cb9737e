"""Measuring on a noisy machine: contenders take turns, and what counts is how they compare within each round."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

ROUNDS: Final = 9


def take_turns(
    contenders: Mapping[str, Callable[[], object]],
    rounds: int = ROUNDS,
    clock: Callable[[], float] = time.process_time,
) -> dict[str, list[float]]:
    """Time contenders in turn; each round begins with another one, so that none always runs on what others left behind.

    Args:
        contenders: what to run, by name; each runs once more than `rounds`, the first time to warm up.
        clock: CPU time of this process, or another clock in seconds.

    Returns:
        Seconds of each round, by name.
    """
    taken: dict[str, list[float]] = {name: [] for name in contenders}
    order = list(contenders)
    for turn in range(-1, rounds):
        for name in order[turn % len(order) :] + order[: turn % len(order)]:
            gc.collect()
            start = clock()
            contenders[name]()
            if turn >= 0:
                taken[name].append(clock() - start)
    return taken


def figure(value: float) -> str:
    """A number with three significant digits."""
    return f"{float(f'{value:.3g}'):,.10g}"


def duration(seconds: Sequence[float]) -> str:
    """Their median, in a fitting unit."""
    median = statistics.median(seconds)
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if abs(median) >= size:
            return f"{figure(median / size)} {unit}"
    return f"{figure(median * 1e6)} µs"


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """How many times as long as theirs ours takes: the median over the rounds, then the lowest and the highest."""
    each = sorted(a / b for a, b in zip(ours, theirs, strict=True))
    return f"{figure(statistics.median(each))} ({figure(each[0])} to {figure(each[-1])})"
