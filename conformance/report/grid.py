"""What a matrix is made of: states, cells, rows, and what can be asked of the whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase
from typing import Final, Literal

from conformance.model import LEVELS, Layer, Level, Mode
from conformance.report.elsewhere import Publication, Published, Report
from conformance.report.merge import Run, unexpected
from conformance.report.verdict import Verdict
from conformance.run.rows import ExchangeRow, ExpectationRow, FindingRow, ProviderRow, StaleRow

Standing = Literal["met", "stale", "undecided", "not-measured"]

MODES: Final[tuple[Mode, ...]] = ("stream", "complete")


class State(Enum):
    """What a cell says: a name, its symbol, and what it means. Worst first: a cell has the first state that holds."""

    UNEXPECTED = ("found-unexpected", "✕", "found, and no expectation covers it (levels must and should)")
    STALE = ("stale", "≠", "expected, and disproved by enough exchanges that could have shown it")
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
        published: what recordings of others show, or None; changes nothing of the above.
        reported: who says that it is so; changes nothing of the above either.
    """

    state: State
    level: Level
    occurrences: int
    applicable: int
    not_run: int
    evidence: tuple[Evidence, ...]
    expectations: tuple[ExpectationRow, ...]
    published: Published | None = None
    reported: tuple[Report, ...] = ()

    @property
    def expected(self) -> int:
        """Findings that an expectation covers."""
        return sum(one.is_expected for one in self.evidence)

    @property
    def unexpected(self) -> int:
        """Findings that none covers."""
        return len(self.evidence) - self.expected

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
    def count(self) -> str:
        """`n/m`; nothing where no exchange could show the quirk, so that no cell looks better than it is."""
        return f"{self.occurrences}/{self.applicable}" if self.applicable else ""


@dataclass(frozen=True, slots=True)
class Tally:
    """One mode of a row: exchanges judged and not run, answers with calls, calls, and calls fit to be run."""

    judged: int
    not_run: int
    with_calls: int
    calls: int
    usable: int


@dataclass(frozen=True, slots=True)
class Gap:
    """Exchanges that were not run for one reason; `places` are `scenario/mode`, with step and sample unless 0."""

    reason: str
    detail: str
    fix: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One model of a provider.

    Attributes:
        key: its name in anchors, unique in the matrix.
        label: its name in tables: the provider's, with the model if the matrix has several of that provider.
        provider: as in the record's header.
        model: its name.
        verdict: the line on top.
        tallies: by mode.
        cells: by slug, for every quirk of the matrix.
        gaps: what was not run, and why.
        recorded_at: first and last day on which its exchanges were recorded; empty if unknown.
        published: recordings of others, or None.
        elsewhere: no record knows it; it is here for what others published or report.
    """

    key: str
    label: str
    provider: ProviderRow
    model: str
    verdict: Verdict
    tallies: Mapping[Mode, Tally]
    cells: Mapping[str, Cell]
    gaps: tuple[Gap, ...]
    recorded_at: tuple[str, ...]
    published: Publication | None = None
    elsewhere: bool = False

    @property
    def known(self) -> bool:
        """Whether it has a place in the table: something was measured, published or reported."""
        return bool(self.judged) or self.published is not None or any(cell.reported for cell in self.cells.values())

    @property
    def judged(self) -> int:
        """Exchanges that were had and judged."""
        return sum(tally.judged for tally in self.tallies.values())

    @property
    def not_run(self) -> int:
        """Exchanges that were not."""
        return sum(tally.not_run for tally in self.tallies.values())


@dataclass(frozen=True, slots=True)
class Fate:
    """How an expectation fared, and in how many exchanges it was met; `undecided`: in none, but too few could tell."""

    provider: str
    expectation: ExpectationRow
    occurrences: int
    standing: Standing


@dataclass(frozen=True, slots=True)
class Matrix:
    """What a report shows.

    Attributes:
        runs: where it comes from, by time.
        strict: `should` findings make it red as well.
        columns: every quirk that was looked for, gravest level first, then by area and slug.
        rows: by provider and model.
        exchanges: everything planned, in plan order.
        must_run: providers of which an exchange that is not run is red.
        stale: expectations that were disproved.
        recorded_at: first and last day on which exchanges were recorded; empty if unknown.
    """

    runs: tuple[Run, ...]
    strict: bool
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    exchanges: tuple[ExchangeRow, ...]
    must_run: frozenset[str]
    stale: tuple[StaleRow, ...]
    recorded_at: tuple[str, ...]

    @property
    def finished(self) -> bool:
        """Whether every run came to its end."""
        return bool(self.runs) and all(run.finished is not None for run in self.runs)

    @property
    def shown(self) -> tuple[Row, ...]:
        """Rows that something is known about, from whomever; what was measured first."""
        return tuple(sorted((row for row in self.rows if row.known), key=lambda row: not row.judged))

    @property
    def measured(self) -> tuple[Row, ...]:
        """Rows with something to show."""
        return tuple(row for row in self.rows if row.judged)

    @property
    def unmeasured(self) -> tuple[Row, ...]:
        """The others."""
        return tuple(row for row in self.rows if not row.judged)

    @property
    def judged(self) -> int:
        """Exchanges that were had and judged."""
        return sum(row.judged for row in self.rows)

    @property
    def not_run(self) -> int:
        """Exchanges that had to be had and were not."""
        return sum(row["not_run"] is not None and row["provider"] in self.must_run for row in self.exchanges)

    def unexpected(self, level: Level) -> int:
        """Findings of a level that no expectation covers."""
        return unexpected(self.exchanges, level)

    @property
    def counting(self) -> tuple[Level, ...]:
        """Levels that make it red."""
        return LEVELS[:2] if self.strict else LEVELS[:1]

    @property
    def exit_code(self) -> int:
        """DESIGN §6.3: 0 nothing unexpected, 1 red, 5 nothing was measured and nothing had to be."""
        if any(map(self.unexpected, self.counting)) or self.stale or self.not_run:
            return 1
        return 0 if self.judged else 5

    def found(self) -> tuple[Column, ...]:
        """Quirks that some row has something to say about: evidence of any kind, or expected in vain."""
        return tuple(c for c in self.columns if any(row.cells[c.slug].speaks for row in self.rows))

    def proven(self) -> tuple[Column, ...]:
        """Those with evidence."""
        return tuple(c for c in self.found() if any(row.cells[c.slug].proven for row in self.rows))

    def fates(self) -> Iterator[Fate]:
        """Every expectation of every provider, in the order of `providers.yaml` per provider."""
        seen: set[str] = set()
        stale = {(one["provider"], one["quirk"]) for one in self.stale}
        for name, expectations in ((row.provider["name"], row.provider["expectations"]) for row in self.rows):
            if name in seen:
                continue
            seen.add(name)
            judged = [row for row in self.exchanges if row["provider"] == name and row["not_run"] is None]
            for one in expectations:
                shown = sum(any(_covers(one, finding) for finding in row["findings"]) for row in judged)
                disproved = (name, one["quirk"]) in stale
                standing: Standing = (
                    "met" if shown else "stale" if disproved else "undecided" if judged else "not-measured"
                )
                yield Fate(name, one, shown, standing)

    def nowhere(self) -> tuple[tuple[Column, int, int], ...]:
        """The other quirks, each with how many exchanges could have shown it: our own, and published ones."""
        loud = {column.slug for column in self.found()}
        quiet = [
            (column, [row.cells[column.slug] for row in self.rows])
            for column in self.columns
            if column.slug not in loud
        ]
        return tuple(
            (column, sum(c.applicable for c in cells), sum(c.published.applicable for c in cells if c.published))
            for column, cells in quiet
        )


def _covers(expectation: ExpectationRow, finding: FindingRow) -> bool:
    return finding["expected_by"] == expectation["reason"] and fnmatchcase(finding["quirk"], expectation["quirk"])


def place(row: ExchangeRow) -> str:
    """`scenario/mode`, with step and sample where they are not the first."""
    step = f" step {row['step']}" if row["step"] else ""
    sample = f" sample {row['sample']}" if row["sample"] else ""
    return f"{row['scenario']}/{row['mode']}{step}{sample}"
