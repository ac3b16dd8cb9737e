"""What a matrix is made of: rows of cells, and what can be asked of the whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final, Literal

from conformance.model import LEVELS, Level, Mode
from conformance.report.cell import Cell, Column
from conformance.report.elsewhere import Publication
from conformance.report.merge import Run, unexpected
from conformance.report.verdict import Verdict
from conformance.run.rows import ExchangeRow, ExpectationRow, FindingRow, ProviderRow, StaleRow

if TYPE_CHECKING:
    from conformance.report.hops import Hop

Standing = Literal["met", "stale", "exceeded", "undecided", "not-measured"]

MODES: Final[tuple[Mode, ...]] = ("stream", "complete")


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
        hops: gateways that were compared with the providers behind them.
    """

    runs: tuple[Run, ...]
    strict: bool
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    exchanges: tuple[ExchangeRow, ...]
    must_run: frozenset[str]
    stale: tuple[StaleRow, ...]
    recorded_at: tuple[str, ...]
    hops: tuple[Hop, ...] = ()

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
                yield Fate(name, one, shown, _standing(shown, disproved, bool(judged)))

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


def _standing(shown: int, disproved: bool, judged: bool) -> Standing:
    if shown:
        return "exceeded" if disproved else "met"
    return "stale" if disproved else "undecided" if judged else "not-measured"
