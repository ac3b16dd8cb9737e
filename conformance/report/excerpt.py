"""The table of the README: the providers and the `must` quirks that matter most, by a rule and not by name.

Columns are quirks of level `must` that recordings show at that level, ours or published ones; what clients sent back
is left out. First comes the quirk that most providers show, then the one that most are reported for, then the one found
in most exchanges. Rows are providers of which there are recordings: first the one that shows most of these quirks, then
the one reported for most, then the one of which most exchanges were judged here, then the one of which most were
published. The rest is by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from conformance.report import words
from conformance.report.cell import Cell, Column, State
from conformance.report.elsewhere import Kind
from conformance.report.grid import Matrix, Row
from conformance.report.text import anchor, place_of, prose

QUIRKS: Final = 7
"""Most quirks shown: more would not fit the width of a README on GitHub."""
PROVIDERS: Final = 12
"""Most providers shown."""

_REPORT: Final = "reports/quirks.md"
_PAGES: Final = "docs/quirks"


def render(matrix: Matrix) -> str:
    """A Markdown table and its legend, with links for a file that stands beside `reports/` and `docs/`.

    Args:
        matrix: what to show. If recordings show no `must` quirk at all, the text says so instead.
    """
    columns = _columns(matrix)
    if not columns:
        return "No recording shows a quirk of level must.\n"
    heads = [f"[{prose(column.slug)}]({_PAGES}/{column.slug}.md)" for column in columns]
    used: set[str] = set()
    lines = [f"| provider | {' | '.join(heads)} |", f"| --- |{' ---: |' * len(columns)}"]
    for row in _rows(matrix, columns):
        cells = [_cell(row, column) for column in columns]
        used.update(*cells, () if row.judged else State.NO_RECORDING.symbol)
        lines.append(f"| {_name(row)} | {' | '.join('<br>'.join(cell.values()) for cell in cells)} |")
    legend = "; ".join(f"{one.symbol} {one.meaning}" for one in (*State, *Kind) if one.symbol in used)
    lines += ["", f"<sub>{words.COUNT} {legend}. {words.ELSEWHERE}</sub>"]
    return "\n".join(lines) + "\n"


def _columns(matrix: Matrix) -> Sequence[Column]:
    ranked = []
    for column in matrix.columns:
        cells = [row.cells[column.slug] for row in matrix.rows]
        showing = sum(_shown(cell) > 0 for cell in cells)
        if column.level == "must" and column.layer != "client" and showing:
            said = sum(bool(cell.reported) for cell in cells)
            ranked.append((-showing, -said, -sum(map(_shown, cells)), column.slug, column))
    return [column for *_, column in sorted(ranked, key=lambda one: one[:4])[:QUIRKS]]


def _rows(matrix: Matrix, columns: Sequence[Column]) -> Sequence[Row]:
    def rank(row: Row) -> tuple[int, int, int, int, str]:
        cells = [row.cells[column.slug] for column in columns]
        shown = sum(_shown(cell) > 0 for cell in cells)
        said = sum(bool(cell.reported) for cell in cells)
        return -shown, -said, -row.judged, -(row.published.exchanges if row.published else 0), row.label

    return sorted((row for row in matrix.rows if row.judged or row.published is not None), key=rank)[:PROVIDERS]


def _shown(cell: Cell) -> int:
    """Exchanges, recorded and published, in which a quirk was found as grave as `must`."""
    theirs = cell.published.occurrences if cell.published is not None and cell.published.level == "must" else 0
    return theirs + (cell.occurrences if cell.level == "must" else 0)


def _name(row: Row) -> str:
    """The provider, with the way to its published recordings."""
    name = prose(row.label)
    linked = _link(name, anchor("source", row.key)) if row.published is not None else name
    return linked if row.judged else f"{linked} {State.NO_RECORDING.symbol}"


def _cell(row: Row, column: Column) -> dict[str, str]:
    """What a cell says, by symbol; what was found leads to its evidence."""
    cell, slug = row.cells[column.slug], column.slug
    said = {}
    if row.judged or not (cell.published or cell.reported):
        text = f"{cell.state.symbol} {cell.count}".strip()
        said[cell.state.symbol] = _link(text, place_of("evidence", slug, row.key)) if cell.found else _whole(text)
    if cell.published is not None:
        text = words.published(cell.published, column)
        shown = _link(text, place_of("published", slug, row.key)) if cell.published_found else _whole(text)
        said[cell.published.kind.symbol] = shown
    if cell.reported:
        said[Kind.REPORTED.symbol] = _link(Kind.REPORTED.symbol, place_of("reported", slug, row.key))
    return said


def _link(text: str, place: str) -> str:
    return f"[{_whole(text)}]({_REPORT}#{place})"


def _whole(text: str) -> str:
    return text.replace(" ", "&nbsp;")
