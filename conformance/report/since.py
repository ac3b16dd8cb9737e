"""What a matrix adds to a history, and what a history says about a matrix. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from conformance.report.cell import Cell
from conformance.report.grid import Matrix, Row
from conformance.report.history import History, Look
from conformance.report.timeline import Change, at
from conformance.run.outcome import day_of


def looks(matrix: Matrix, *, partial: bool = False) -> Iterator[Look]:
    """What was seen of every cell that some exchange could have shown; cells that could not run say nothing.

    Args:
        matrix: of one night.
        partial: scenarios or modes were left out, so that *not found* does not mean *gone*.
    """
    for row in matrix.measured:
        if not _dateable(row):
            continue
        for slug, cell in row.cells.items():
            if cell.applicable:
                seen, day = _seen(row, cell), row.recorded_at[-1]
                yield Look(row.provider["name"], row.model, slug, day, seen, partial or bool(cell.not_run))


def dated(matrix: Matrix, history: History, *, partial: bool = False) -> Matrix:
    """The matrix with the past of each cell, as if it had been added to the history."""
    whole = history.add(looks(matrix, partial=partial))
    return replace(matrix, rows=tuple(_dated(row, whole) for row in matrix.rows))


def _dated(row: Row, history: History) -> Row:
    if not row.judged or not _dateable(row):
        return row
    cells = {}
    for slug, cell in row.cells.items():
        past = history.changes(row.provider["name"], row.model, slug)
        now = at(past, row.recorded_at[-1])
        told = now is not None and cell.applicable and now.state in ("varies", "found" if cell.found else "ok")
        cells[slug] = replace(cell, since=now.day if now is not None and told else "", past=past)
    return replace(row, cells=cells)


def _dateable(row: Row) -> bool:
    return bool(row.recorded_at) and all(map(day_of, row.recorded_at))


def _seen(row: Row, cell: Cell) -> Change:
    if not cell.found:
        return Change(row.recorded_at[0], "ok", None, 0, cell.applicable)
    days = (one.exchange["recorded_at"] for one in cell.evidence)
    first = min((day[:10] for day in days if day), default=row.recorded_at[-1])
    return Change(first, "found", cell.level, cell.occurrences, cell.applicable)
