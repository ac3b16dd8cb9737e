"""What a run means as a whole: what was unexpected, not run, or stale, and the exit code (DESIGN §6.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from conformance.model import Level
from conformance.providers.expect import Judged, tally
from conformance.providers.models import MIN_APPLICABLE
from conformance.run.rows import (
    ExchangeRow,
    ExpectationRow,
    FindingRow,
    Footer,
    Header,
    ProviderRow,
    RateRow,
    RunMode,
    StaleRow,
)

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
        stale: expectations that enough exchanges disproved, or that are exceeded.
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


def conclude(header: Header, rows: Sequence[ExchangeRow], *, strict: bool) -> Outcome:
    """Judge a finished run.

    Args:
        header: what was to be done.
        rows: every exchange line.
        strict: `should` findings count as well.
    """
    has_to_run = {provider["name"] for provider in header["providers"] if must_run(header["run_mode"], provider)}
    unexpected = sum(1 for row in rows for finding in row["findings"] if counts(finding, strict))
    not_run = sum(1 for row in rows if row["not_run"] is not None and row["provider"] in has_to_run)
    judged = sum(1 for row in rows if row["not_run"] is None)
    stale = () if is_part(header) else tuple(_stale(header, rows))
    red = bool(unexpected or not_run or stale)
    code = RED if red else OK if judged else NOTHING
    return Outcome(len(rows), judged, unexpected, stale, not_run, code)


def is_part(header: Header) -> bool:
    """Whether a run left scenarios, modes or another shard's cells out: what it did not find may still be there."""
    return header.get("narrowed", False) or header.get("shard") is not None


def must_run(run_mode: RunMode, provider: ProviderRow) -> bool:
    """Whether an exchange with a provider that is not run makes the run red.

    Not so when a provider that was never recorded is replayed and nobody named it: its row is shown as *no recording*
    (DESIGN §4.6).
    """
    return run_mode != "replay" or provider["selected"] or provider["recorded"]


def footer(outcome: Outcome, finished: str, exit_code: int, rates: Iterable[RateRow] = ()) -> Footer:
    """The last line of a record.

    Args:
        outcome: what came of the run.
        finished: when it ended, ISO 8601.
        exit_code: of the process; something else than the outcome's where pytest itself failed.
        rates: of what was repeated.
    """
    row: Footer = {
        "type": "footer",
        "exchanges": outcome.exchanges,
        "finished": finished,
        "unexpected": outcome.unexpected,
        "stale": list(outcome.stale),
        "not_run": outcome.not_run,
        "exit_code": exit_code,
    }
    if repeated := list(rates):
        row["rates"] = repeated
    return row


def summary(outcome: Outcome | None) -> list[str]:
    """What came of a run, in a few lines."""
    if outcome is None:
        return []
    if outcome.exit_code == NOTHING:
        return ["conformance: nothing was measured: no provider has a recording; name one to see what is missing"]
    counted = (
        f"{outcome.judged} exchanges judged",
        f"{outcome.unexpected} unexpected findings",
        f"{outcome.not_run} not run",
        f"{len(outcome.stale)} stale expectations",
    )
    lines = [f"conformance: {', '.join(counted)}"]
    return lines + [f"stale expectation: {one['provider']}: {one['quirk']} {disproof(one)}" for one in outcome.stale]


def counts(finding: FindingRow, strict: bool) -> bool:
    """Whether a finding makes a run red: unexpected, and `must` (`should` as well if strict)."""
    return finding["expected_by"] is None and finding["level"] in counting(strict)


def counting(strict: bool) -> tuple[Level, ...]:
    """The levels that count."""
    return ("must", "should") if strict else ("must",)


def _stale(header: Header, rows: Sequence[ExchangeRow]) -> Iterable[StaleRow]:
    """Expectations that enough applicable exchanges disproved (DESIGN §4.7), and those that are exceeded."""
    for provider in header["providers"]:
        judged = [
            Judged(
                row["mode"],
                row["scenario"],
                row["model"],
                {f["quirk"] for f in row["findings"]},
                row["applicable"],
                day_of(row["recorded_at"]),
            )
            for row in rows
            if row["provider"] == provider["name"] and row["not_run"] is None
        ]
        for one in tally(map(_Expected.of, provider["expectations"]), judged):
            if one.standing in ("stale", "exceeded"):
                yield {
                    "provider": provider["name"],
                    "quirk": one.expectation.quirk,
                    "applicable": one.applicable,
                    "found": one.found,
                }


def day_of(moment: str | None) -> date | None:
    """The day of an ISO 8601 date or time; None if it is unknown."""
    try:
        return date.fromisoformat((moment or "")[:10])
    except ValueError:
        return None


def disproof(stale: StaleRow) -> str:
    """Why an expectation no longer holds, as the end of a sentence."""
    exchanges = f"{stale['applicable']} exchange{'s' * (stale['applicable'] != 1)} that could show it"
    if found := stale.get("found", 0):
        return f"shows in {found} of {exchanges}, more often than expected; raise its rate, or look at why"
    return f"was not found in {exchanges}; take it out of the providers file"


@dataclass(frozen=True, slots=True)
class _Expected:
    """An expectation out of a record."""

    quirk: str
    modes: Sequence[str]
    scenarios: Sequence[str]
    models: str | None
    min_applicable: int
    until: date | None
    rate: float | None

    @classmethod
    def of(cls, row: ExpectationRow) -> _Expected:
        return cls(
            row["quirk"],
            row["modes"],
            row["scenarios"],
            row.get("models"),
            row.get("min_applicable", MIN_APPLICABLE),
            day_of(row.get("until")),
            row.get("rate"),
        )
