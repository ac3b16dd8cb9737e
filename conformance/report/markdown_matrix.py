"""The tables of `quirks.md`: quirks are rows, providers are columns.

At most `ACROSS` providers stand in one table, so that nothing scrolls sideways however many there are. What breaks
clients comes first, legal variations last. A table holds only quirks that one of its providers has something to say of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from conformance.report import words
from conformance.report.cell import Cell, Column, State
from conformance.report.elsewhere import Kind
from conformance.report.grid import Matrix, Row
from conformance.report.summary import groups
from conformance.report.text import anchor, place_of, prose

ACROSS: Final = 8
"""Columns of providers per table."""


def render(matrix: Matrix) -> Iterator[str]:
    """Heading, legend, and one group of tables for each of `summary.groups`."""
    found = groups(matrix)
    if not found or not matrix.shown:
        return
    yield f"## Matrix\n\n{words.COUNTS}\n"
    yield "<br>".join(f"{state.symbol} {state.slug}: {state.meaning}" for state in State)
    if any(row.published or cell.reported for row in matrix.rows for cell in row.cells.values()):
        yield "<br>" + "<br>".join(f"{kind.symbol} {kind.label}: {kind.meaning}" for kind in Kind)
        yield f"\n{words.ELSEWHERE}"
    for group in found:
        yield f"\n### {group.title}"
        for start in range(0, len(group.rows), ACROSS):
            yield from _table(group.rows[start : start + ACROSS], group.columns)
        if group.clean:
            names = ", ".join(f"{_link(row)} ({row.published.exchanges})" for row in group.clean if row.published)
            yield f"\n{words.CLEAN} {names}."


def _table(rows: Sequence[Row], columns: Sequence[Column]) -> Iterator[str]:
    yield f"\n| quirk | level | {' | '.join(_heading(row) for row in rows)} |"
    yield f"| --- | --- |{' ---: |' * len(rows)}"
    for column in columns:
        if any(row.cells[column.slug].speaks for row in rows):
            cells = " | ".join(_cell(row, column) for row in rows)
            yield f"| [{prose(column.slug)}](#{anchor('quirk', column.slug)}) | {column.level} | {cells} |"


def _heading(row: Row) -> str:
    return prose(row.label) if row.judged else f"{prose(row.label)} {State.NO_RECORDING.symbol}"


def _cell(row: Row, column: Column) -> str:
    cell = row.cells[column.slug]
    lines = [_recorded(row, column, cell)] if row.judged or not (cell.published or cell.reported) else []
    if cell.published is not None:
        place = place_of("published", column.slug, row.key) if cell.published_found else anchor("source", row.key)
        entry = _entry(words.published(cell.published, column), place)
        lines.append(f"**{entry}**" if cell.published.level != "info" else entry)
    if cell.reported:
        lines.append(_entry(Kind.REPORTED.symbol, place_of("reported", column.slug, row.key)))
    return "<br>".join(lines)


def _recorded(row: Row, column: Column, cell: Cell) -> str:
    missing = f"&nbsp;!{cell.not_run}" if cell.not_run and cell.applicable else ""
    text = f"{cell.state.symbol} {cell.count}".strip()
    place = place_of("evidence", column.slug, row.key)
    return (_entry(text, place) if cell.found else _whole(text)) + missing


def _entry(text: str, place: str) -> str:
    return f"[{_whole(text)}](#{place})"


def _whole(text: str) -> str:
    # a count that is broken after its symbol is hard to read
    return text.replace(" ", "&nbsp;")


def _link(row: Row) -> str:
    return f"[{prose(row.label)}](#{anchor('source', row.key)})"
