"""The first page: provider × quirk, and what was not measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from conformance.model import LEVELS, Level
from conformance.report import words
from conformance.report.cell import Cell, Column, State
from conformance.report.elsewhere import Kind
from conformance.report.grid import Matrix, Row
from conformance.report.summary import KINDS, EvidenceKind, guards, mentions
from conformance.site import urls
from conformance.site.frame import Context, page

WORDS: Final = {State.UNEXPECTED: "found", State.EXPECTED: "expected"}
"""Where a cell says less than the name of its state."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What one kind of evidence says in a cell.

    Attributes:
        kind: recorded here, published or reported.
        symbol, word: never colour alone; the word may be empty.
        count: `n/m`, and what there is to add; empty where nothing was counted.
        level: how grave what it shows is; empty where it shows nothing.
    """

    kind: Literal["recorded", "published", "reported"]
    symbol: str
    word: str
    count: str
    level: Level | Literal[""]


@dataclass(frozen=True, slots=True)
class Line:
    """A quirk across all providers; `shown_by` is how many show it, by any kind of evidence."""

    column: Column
    cells: tuple[tuple[Row, tuple[Mark, ...], bool], ...]
    shown_by: int


def render(context: Context) -> str:
    """The whole document."""
    matrix = context.matrix
    lines = sorted(
        _lines(matrix), key=lambda line: (not line.shown_by, LEVELS.index(line.column.level), -line.shown_by)
    )
    return page(
        context,
        "matrix.html.j2",
        urls.index(),
        title=words.TITLE,
        lines=lines,
        areas=sorted({column.area for column in matrix.columns}),
        levels=LEVELS,
        rows=matrix.shown,
        gravity={row.key: _gravity(matrix, row) for row in matrix.shown},
        guards=guards(matrix),
        fates=list(matrix.fates()),
        gaps=[row for row in matrix.rows if row.gaps or row.provider["left_out"]],
    )


def marks(cell: Cell, column: Column) -> Iterator[Mark]:
    """What a cell says: our own recordings first, whatever the others say.

    That there are none is said at the head of the provider; in thousands of cells its symbol has to do, and where
    somebody else says something it has no place.
    """
    speaks = cell.found or cell.state is State.STALE
    if cell.state is not State.NO_RECORDING or not (cell.published or cell.reported):
        yield Mark("recorded", cell.state.symbol, _word(cell.state), _count(cell, column), cell.level if speaks else "")
    if cell.published is not None:
        level, kind = cell.published.level, cell.published.kind
        count = words.published(cell.published, column).removeprefix(f"{kind.symbol} ")
        yield Mark("published", kind.symbol, kind.label, count, level if cell.published_found else "")
    if cell.reported:
        yield Mark("reported", Kind.REPORTED.symbol, Kind.REPORTED.label, "", column.level)


def _lines(matrix: Matrix) -> Iterator[Line]:
    for column in matrix.columns:
        cells = [(row, row.cells[column.slug]) for row in matrix.shown]
        yield Line(
            column,
            tuple((row, tuple(marks(cell, column)), cell.proven) for row, cell in cells),
            sum(cell.proven for _, cell in cells),
        )


def _word(state: State) -> str:
    if state is State.NO_RECORDING:
        return ""
    return WORDS.get(state, state.slug.replace("-", " "))


def _count(cell: Cell, column: Column) -> str:
    parts = [cell.count] if cell.count else []
    if cell.found and cell.level != column.level:
        parts.append(f"({cell.level})")
    if cell.not_run and cell.applicable:
        parts.append(f"!{cell.not_run}")
    return " ".join(parts)


def _gravity(matrix: Matrix, row: Row) -> str:
    """How many quirks of which level a row has, each counted by the best evidence: `3 must, 4 should; 3 more reported`.

    Levels are told of what was found in recordings: ours or, of a row that was never recorded here, published ones.
    """
    best: EvidenceKind = "evidence" if row.judged else "published"
    counted: set[str] = set()
    found, more = "", []
    for kind in KINDS:
        new = [one for one in mentions(matrix, row, kind) if one.column.slug not in counted]
        counted.update(one.column.slug for one in new)
        if kind == best:
            counts = [(sum(one.level == level for one in new), level) for level in LEVELS[:2]]
            found = ", ".join(f"{count} {level}" for count, level in counts if count)
        elif new:
            more.append(f"{len(new)}{' more' if found else ''} {kind}")
    nothing = ["nothing found"] if row.judged or row.published is not None else []
    return "; ".join([*([found] if found else nothing), *more]) or "nothing graver than info"
