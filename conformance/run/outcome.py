"""What a run means as a whole: what was unexpected, not run, or stale, and the exit code (DESIGN §6.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from conformance.model import Level
from conformance.providers.expect import Judged, tally
from conformance.run.plan import Plan
from conformance.run.rows import ExchangeRow, FindingRow, StaleRow

OK: Final = 0
RED: Final = 1
INTERRUPTED: Final = 2
INTERNAL: Final = 3
USAGE: Final = 4
NOTHING: Final = 5


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdict on a run.

    Attributes:
        exchanges: number of exchange lines.
        judged: exchanges that were had and judged.
        unexpected: findings that count and that no expectation covers.
        stale: expectations that enough exchanges disproved.
        not_run: exchanges that should have been had and were not; those of providers that nobody named and nobody
            recorded do not count.
        exit_code: 0 or 1; 5 if nothing was judged and nothing had to be.
    """

    exchanges: int
    judged: int
    unexpected: int
    stale: tuple[StaleRow, ...]
    not_run: int
    exit_code: int


def conclude(plan: Plan, rows: Sequence[ExchangeRow], *, strict: bool) -> Outcome:
    """Judge a finished run.

    Args:
        plan: what was to be done.
        rows: every exchange line.
        strict: `should` findings count as well.
    """
    unexpected = sum(1 for row in rows for finding in row["findings"] if counts(finding, strict))
    not_run = sum(1 for row in rows if row["not_run"] is not None and plan.has_to_run(row["provider"]))
    judged = sum(1 for row in rows if row["not_run"] is None)
    stale = () if plan.narrowed else tuple(_stale(plan, rows))
    red = bool(unexpected or not_run or stale)
    code = RED if red else OK if judged else NOTHING
    return Outcome(len(rows), judged, unexpected, stale, not_run, code)


def counts(finding: FindingRow, strict: bool) -> bool:
    """Whether a finding makes a run red: unexpected, and `must` (`should` as well if strict)."""
    return finding["expected_by"] is None and finding["level"] in counting(strict)


def counting(strict: bool) -> tuple[Level, ...]:
    """The levels that count."""
    return ("must", "should") if strict else ("must",)


def _stale(plan: Plan, rows: Sequence[ExchangeRow]) -> Iterable[StaleRow]:
    """Expectations that enough applicable exchanges disproved (DESIGN §4.7)."""
    for provider in plan.providers:
        judged = [
            Judged(row["mode"], row["scenario"], row["model"], {f["quirk"] for f in row["findings"]}, row["applicable"])
            for row in rows
            if row["provider"] == provider.name and row["not_run"] is None
        ]
        for one in tally(provider, judged):
            if one.standing == "stale":
                yield {"provider": provider.name, "quirk": one.expectation.quirk, "applicable": one.applicable}
