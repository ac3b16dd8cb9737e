"""What nights say by chance: how often a server that did not change turns red, and when its issues are closed.

Answers are drawn at random, and what comes of them is what `conformance diff` and the nightly say. The seed is fixed,
so that the figures in docs/verdicts-and-statistics.md can be had again:

    python benchmarks/nights.py
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import partial
from random import Random
from typing import Final

from conformance.diff.changes import Kind
from conformance.diff.compare import compare
from conformance.diff.night import Night, Row, Seen
from conformance.report.history import History, Look
from conformance.report.timeline import Change
from conformance.statistics import turned

NIGHTS: Final = 1000
SERVERS: Final = 200
DAYS: Final = 90
SCENARIOS: Final = tuple(f"s{number}/stream" for number in range(10))


def seen(rate: float, samples: int, random: Random) -> Seen:
    """A cell of level `must` that each answer shows at this rate."""
    found = {name: sum(random.random() < rate for _ in range(samples)) for name in SCENARIOS}
    shown = sum(found.values())
    return Seen(
        state="found-unexpected" if shown else "ok",
        level="must",
        unexpected_level="must" if shown else None,
        occurrences=shown,
        applicable=samples * len(SCENARIOS),
        not_run=0,
        found_in={name: count for name, count in found.items() if count},
        applicable_in=dict.fromkeys(SCENARIOS, samples),
        evidence=[],
        since="",
    )


def night(rates: Sequence[float], samples: int, providers: int, random: Random) -> Night:
    """Each provider has a cell for each rate."""
    rows = {}
    for number in range(providers):
        cells = {f"q{place}": seen(rate, samples, random) for place, rate in enumerate(rates)}
        rows[f"p{number}", "m"] = Row(f"p{number}", "m", "needs-guards", 10, frozenset(SCENARIOS), {}, cells)
    return Night("night", False, (), (), {f"q{place}": {} for place in range(len(rates))}, rows)


def pairs(rates: Sequence[float], samples: int, providers: int, random: Random) -> None:
    """Two nights of servers that did not change, many times: how often each kind of change is said."""
    said = dict.fromkeys((Kind.APPEARED, Kind.NOT_SEEN, Kind.GONE), 0)
    rate = 0
    for _ in range(NIGHTS):
        make = partial(night, rates, samples, providers, random)
        kinds = {kind for one in compare(make(), make()).cells for kind in one.kinds}
        rate += not kinds.isdisjoint({Kind.MORE_OFTEN, Kind.LESS_OFTEN})
        for kind in said:
            said[kind] += kind in kinds
    counts = ", ".join(f"{kind.slug} {count / NIGHTS:.1%}" for kind, count in said.items())
    print(
        f"{providers} x {list(rates)}, {samples} of 10 each: {counts}, change of rate {rate / NIGHTS:.1%}", flush=True
    )


def issues(rate: float, exchanges: int, random: Random) -> None:
    """One cell, ninety nights, many times: how many issues are opened where any silent night closes one, and here."""
    hasty = sum(_opened(list(_shown(rate, exchanges, random)), exchanges, None) for _ in range(SERVERS))
    patient = sum(_opened(list(_shown(rate, exchanges, random)), exchanges, 5) for _ in range(SERVERS))
    print(
        f"rate {rate}, {exchanges} a night: {hasty / SERVERS:.1f} issues in {DAYS} nights, {patient / SERVERS:.1f} here"
    )


def _shown(rate: float, exchanges: int, random: Random) -> Iterator[int]:
    for _ in range(DAYS):
        yield sum(random.random() < rate for _ in range(exchanges))


def _opened(shown: Sequence[int], exchanges: int, silent: int | None) -> int:
    opened, is_open, past = 0, False, History()
    for number, count in enumerate(shown):
        day = (date(2026, 9, 1) + timedelta(days=number)).isoformat()
        change = Change(day, "found" if count else "ok", "must" if count else None, count, exchanges)
        past = past.add([Look("p", "m", "q", day, change)])
        if count:
            opened, is_open = opened + (not is_open), True
        elif silent is None or past.silence("p", "m", "q") >= silent or _gone(past, exchanges):
            is_open = False
    return opened


def _gone(past: History, exchanges: int) -> bool:
    *_, before, last = (None, None, *past.changes("p", "m", "q"))
    if before is None or last is None or (before.state, last.state) != ("found", "ok"):
        return False
    return turned(before.occurrences, before.applicable, 0, exchanges)


if __name__ == "__main__":
    dice = Random(1)
    for rate in (0.01, 0.02, 0.05, 0.1, 0.2):
        for samples in (1, 4):
            pairs([0] * 10 + [rate], samples, 1, dice)
    pairs([1] * 3 + [0] * 10 + [0.02], 1, 20, dice)
    for rate in (0.01, 0.02, 0.05, 0.1, 0.2):
        issues(rate, 10, dice)
