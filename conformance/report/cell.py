"""One cell of a matrix: a quirk with one model of a provider, what was found, and the evidence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from conformance.model import LEVELS, Layer, Level, Mode
from conformance.report.elsewhere import Published, Report
from conformance.report.timeline import Change
from conformance.run.rows import ExchangeRow, ExpectationRow, FindingRow
from conformance.statistics import wilson


class State(Enum):
    """What a cell says: a name, its symbol, and what it means. Worst first: a cell has the first state that holds."""

    UNEXPECTED = ("found-unexpected", "✕", "found, and no expectation covers it (levels must and should)")
    STALE = ("stale", "≠", "expected, and disproved by enough exchanges, or found more often than expected")
    EXPECTED = ("found-expected", "⊘", "found, as expected")
    NOTED = ("noted", "·", "found; a legal variation (level info), never red")
    OK = ("ok", "✓", "not found in the exchanges that could have shown it")
    NOT_RUN = ("not-run", "!", "no exchange that could show it was had")
    NO_RECORDING = ("no-recording", "○", "this provider was never recorded")
    NOT_APPLICABLE = ("not-applicable", "–", "no exchange could have shown it")

    def __init__(self, slug: str, symbol: str, meaning: str) -> None:
        self.slug = slug
        self.symbol = symbol
        self.meaning = meaning


@dataclass(frozen=True, slots=True)
class Column:
    """A quirk that was looked for; `guard` and `modes` are empty for one that this version does not know.

    `layer` is who is to blame as a rule: what a client sent is no fault of the provider that received it.
    """

    slug: str
    area: str
    level: Level
    layer: Layer
    title: str
    guard: str
    modes: tuple[Mode, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One finding, and the exchange that shows it."""

    exchange: ExchangeRow
    finding: FindingRow

    @property
    def is_expected(self) -> bool:
        """Whether an expectation covers it."""
        return self.finding["expected_by"] is not None


@dataclass(frozen=True, slots=True)
class Cell:
    """A quirk with one model of a provider.

    Attributes:
        state: see `State`.
        level: the gravest level found; if nothing was, the quirk's own.
        occurrences: exchanges in which it was found.
        applicable: exchanges that could show it, those included.
        not_run: exchanges in its modes that were not had.
        evidence: every finding, unexpected ones first, then in plan order.
        expectations: what `providers.yaml` said about it.
        repeated: whether exchanges were repeated (`--samples`), so that its counts are an estimate of a rate.
        flaky: whether an exchange that was repeated shows it at some times and at others does not.
        published: what recordings of others show, or None; changes nothing of the above.
        reported: who says that it is so; changes nothing of the above either.
        since: the day (ISO 8601) since when it says found, or not found, or comes and goes; empty if unknown.
        past: all that a history knows of it, by day.
    """

    state: State
    level: Level
    occurrences: int
    applicable: int
    not_run: int
    evidence: tuple[Evidence, ...]
    expectations: tuple[ExpectationRow, ...]
    repeated: bool = False
    flaky: bool = False
    published: Published | None = None
    reported: tuple[Report, ...] = ()
    since: str = ""
    past: tuple[Change, ...] = ()

    @property
    def expected(self) -> int:
        """Findings that an expectation covers."""
        return sum(one.is_expected for one in self.evidence)

    @property
    def unexpected(self) -> int:
        """Findings that none covers."""
        return len(self.evidence) - self.expected

    @property
    def unexpected_level(self) -> Level | None:
        """The gravest level of those; None if there are none."""
        levels = (one.finding["level"] for one in self.evidence if not one.is_expected)
        return min(levels, key=LEVELS.index, default=None)

    @property
    def found(self) -> bool:
        """Whether it was found in our own recordings."""
        return bool(self.occurrences)

    @property
    def published_found(self) -> bool:
        """Whether recordings of others show it."""
        return self.published is not None and bool(self.published.occurrences)

    @property
    def proven(self) -> bool:
        """Whether there is evidence of any kind."""
        return self.found or self.published_found or bool(self.reported)

    @property
    def speaks(self) -> bool:
        """Whether there is something to say: evidence, or an expectation that was disproved."""
        return self.proven or self.state is State.STALE

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval (Wilson) for the share of exchanges that show it; None where nothing was repeated."""
        return wilson(self.occurrences, self.applicable) if self.repeated and self.applicable else None

    @property
    def count(self) -> str:
        """`n/m`; nothing where no exchange could show the quirk, so that no cell looks better than it is.

        With repeated exchanges `n/m (low–high %)`, and whether it is flaky.
        """
        if not self.applicable:
            return ""
        count = f"{self.occurrences}/{self.applicable}"
        if self.interval is None or not self.found:
            return count
        low, high = self.interval
        return f"{count} ({low * 100:.0f}–{high * 100:.0f} %{', flaky' if self.flaky else ''})"
