"""What a quirk breaks, as a section at the end of its Markdown page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from conformance.impact import words
from conformance.impact.table import Cell, Table
from conformance.report.text import prose

HEADING: Final = "## Client libraries"
_LONGEST: Final = 160


def section(table: Table, slug: str) -> str:
    """The section; `""` if clients were not asked about the quirk."""
    asked = [row for row in table.rows if slug in row.cells]
    return "\n".join(_lines(table, slug)) + "\n" if asked else ""


def without(page: str) -> tuple[str, str]:
    """A page without the section, and the section; `""` if it has none."""
    before, heading, after = page.partition(f"\n{HEADING}\n")
    return before, f"{heading}{after}".removeprefix("\n")


def _lines(table: Table, slug: str) -> Iterator[str]:
    yield f"{HEADING}\n"
    hurt = table.breaks(slug)
    right = [row.label for row in table.rows if slug in row.cells and row.cells[slug].outcome == "right"]
    if hurt:
        yield "| client | version | outcome | what came of it |\n| --- | --- | --- | --- |"
        for row, cell in hurt:
            version = prose(row.client["version"] or "")
            came = prose(words.detail(cell), _LONGEST)
            yield f"| {prose(row.client['key'])} | {version} | {_outcome(cell)} | {came} |"
        yield ""
    if right:
        yield f"Come out right: {prose(', '.join(right), 4000)}.\n"
    yield f"Measured {table.day} by `conformance clients run`. {words.WORST}"


def _outcome(cell: Cell) -> str:
    where = words.only([mode for mode, one in cell.modes.items() if one == cell.outcome])
    return words.outcome(cell.outcome) + (f" ({where})" if where and len(cell.modes) > 1 else "")
