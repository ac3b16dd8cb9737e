"""One page a cell: what shows that a provider has a quirk, down to the bytes."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import escape

from conformance.errors import CassetteError
from conformance.model import LEVELS
from conformance.quirks.page import guards
from conformance.quirks.registry import catalogue
from conformance.report import rerun
from conformance.report.cell import Cell, Column, Evidence
from conformance.report.grid import Row, place
from conformance.run.rows import ExchangeRow
from conformance.site import urls
from conformance.site.evidence_curl import KEY, curl
from conformance.site.evidence_marks import Mark, mark
from conformance.site.evidence_quote import Fold, Quote, quotes, short
from conformance.site.evidence_source import Recorded, Recordings
from conformance.site.frame import Context, page
from conformance.wire.transcript import Transcript

SHOWN: Final = 5
"""Exchanges that are shown with their bytes."""
LISTED: Final = 100
"""Further findings that are named; the run record holds all."""
PUBLISHED: Final = 50
"""Published recordings that are named."""
CALLS: Final = 12
"""Assembled calls that are shown of an answer."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One exchange with its findings of the page's quirk.

    Attributes:
        row: the line of the record.
        name: what the exchange is called.
        findings: of this quirk in it, in order.
        problem: why its bytes cannot be shown; empty if they can, and then the rest is there.
        transcript: what was read from it.
        marks: the marked parts.
        quotes: its bytes.
        command: the request as a command, empty if it cannot be one.
    """

    row: ExchangeRow
    name: str
    findings: tuple[Evidence, ...]
    problem: str = ""
    transcript: Transcript | None = None
    marks: tuple[Mark, ...] = ()
    quotes: tuple[Quote | Fold, ...] = ()
    command: str = ""

    @property
    def recording(self) -> str:
        """What `conformance inspect` calls it, for a shell; empty if it was not recorded."""
        held = self.row["evidence"]
        return "" if held is None else shlex.quote(f"{held['cassette']}#{held['interaction']}")

    @property
    def whole(self) -> bool:
        """Whether the findings are about the answer as a whole, so that no part of it is marked."""
        return not self.marks

    @property
    def missing(self) -> bool:
        """Whether something is marked because it lacks what should be there."""
        return any(one.missing for one in self.marks)

    @property
    def needs_key(self) -> bool:
        """Whether the command wants a key."""
        return f"${KEY}" in self.command


def render(context: Context, recordings: Recordings, row: Row, column: Column) -> str:
    """The whole document.

    Args:
        context: what pages are made from.
        recordings: where the bytes of its findings are read.
        row, column: the cell; one with evidence of any kind.
    """
    cell = row.cells[column.slug]
    chosen = _chosen(cell)
    shown = [_shown(recordings, group) for group in chosen]
    theirs = cell.published.shown if cell.published is not None else ()
    rest = [one for one in cell.evidence if not any(one in group for group in chosen)]
    return page(
        context,
        "evidence.html.j2",
        urls.evidence(row, column.slug),
        title=f"{column.slug} with {row.label}",
        row=row,
        column=column,
        cell=cell,
        guards=_guards(column.slug),
        shown=shown,
        rest=rest[:LISTED],
        left_out=max(0, len(rest) - LISTED),
        published=theirs[:PUBLISHED],
        published_left_out=max(0, len(theirs) - PUBLISHED),
        most_calls=CALLS,
        key=KEY,
        is_fold=lambda one: isinstance(one, Fold),
        short=short,
        rerun=lambda one: rerun.command(context.matrix, one),
    )


def _chosen(cell: Cell) -> list[tuple[Evidence, ...]]:
    """The exchanges to show, each with its findings: the gravest first, and first of those one of each kind of request.

    Findings that nobody expected come before others of their level.
    """
    by_exchange: dict[int, list[Evidence]] = {}
    for one in cell.evidence:
        by_exchange.setdefault(id(one.exchange), []).append(one)
    groups = sorted(by_exchange.values(), key=_gravity)
    seen: set[tuple[str, str]] = set()
    first: list[tuple[Evidence, ...]] = []
    again: list[tuple[Evidence, ...]] = []
    for group in groups:
        exchange = group[0].exchange
        kind = exchange["scenario"], exchange["mode"]
        (again if kind in seen else first).append(tuple(group))
        seen.add(kind)
    return [*first, *again][:SHOWN]


def _gravity(group: Sequence[Evidence]) -> tuple[int, bool]:
    level = min(LEVELS.index(one.finding["level"]) for one in group)
    return level, all(one.is_expected for one in group)


def _shown(recordings: Recordings, findings: tuple[Evidence, ...]) -> Shown:
    row = findings[0].exchange
    name = place(row)
    try:
        recorded = recordings.of(row)
    except CassetteError as problem:
        return Shown(row, name, findings, problem=str(problem))
    marks = tuple(_marks(recorded, findings))
    return Shown(
        row,
        name,
        findings,
        transcript=recorded.transcript,
        marks=marks,
        quotes=tuple(quotes(recorded.transcript, marks)),
        # every character of it is visible already, and it must not be cut
        command=escape(curl(recorded.sent)),
    )


def _marks(recorded: Recorded, findings: Sequence[Evidence]) -> Iterator[Mark]:
    for one in findings:
        found = mark(recorded.transcript, one.finding["where"])
        if found is not None:
            yield found


def _guards(slug: str) -> list[tuple[str, str]]:
    """The guard as code, by language; none of a quirk that this version does not know."""
    return next((guards(one) for one in catalogue() if one.slug == slug), [])
