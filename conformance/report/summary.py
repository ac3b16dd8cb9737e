"""Which provider breaks what, at a glance: the quirks of a row that a client has to care about, by kind of evidence.

Listed are quirks of level `must` and `should`, the gravest first. From recordings and reports of others, what the
client sent back (layer `client`) is left out: it is no fault of the provider that received it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from conformance.model import LEVELS, Level
from conformance.report.cell import Column, State
from conformance.report.elsewhere import Kind
from conformance.report.grid import Matrix, Row
from conformance.report.text import place_of

EvidenceKind = Literal["evidence", "published", "reported"]
"""Kinds of evidence as anchors name them: recorded here, published, reported."""

KINDS: Final[tuple[EvidenceKind, ...]] = ("evidence", "published", "reported")

_TITLES: Final = {
    "breaks": "What breaks clients (must and should)",
    "client": "What clients sent back (must and should; the provider is not to blame)",
    "legal": "Legal variations (info)",
}


@dataclass(frozen=True, slots=True)
class Mention:
    """A quirk of a row: how grave, how often (empty for a report), and where in the document its evidence stands."""

    column: Column
    level: Level
    count: str
    place: str


def mentions(matrix: Matrix, row: Row, kind: EvidenceKind) -> tuple[Mention, ...]:
    """What one kind of evidence says about a row."""
    found = [
        Mention(column, level, count, place_of(kind, column.slug, row.key))
        for column in matrix.columns
        for level, count in [_said(row, column, kind)]
        if level != "info"
    ]
    return tuple(sorted(found, key=lambda one: LEVELS.index(one.level)))


def nothing(row: Row, kind: EvidenceKind) -> str:
    """What stands where `mentions` has nothing to say; empty where nobody looked."""
    if kind == "evidence":
        return f"{State.OK.symbol} none" if row.judged else State.NO_RECORDING.symbol
    return f"{Kind.CLEAR.symbol} none" if kind == "published" and row.published is not None else ""


@dataclass(frozen=True, slots=True)
class Guarded:
    """A quirk that a client has to guard against.

    Attributes:
        column: the quirk.
        level: the gravest that was found or is reported.
        measured: rows whose verdict names it.
        theirs: further rows for which others show it or say so.
    """

    column: Column
    level: Level
    measured: tuple[Row, ...]
    theirs: tuple[Row, ...]


def guards(matrix: Matrix) -> tuple[Guarded, ...]:
    """What somebody who uses all these providers needs guards for, in the order of the columns."""
    theirs: dict[str, dict[str, tuple[Row, Level]]] = {}
    for row in matrix.rows:
        for one in (one for kind in KINDS[1:] for one in mentions(matrix, row, kind)):
            theirs.setdefault(one.column.slug, {}).setdefault(row.key, (row, one.level))
    found = []
    for column in matrix.columns:
        measured = tuple(r for r in matrix.measured if column.slug in (*r.verdict.lost, *r.verdict.guards))
        others = [(row, level) for row, level in theirs.get(column.slug, {}).values() if row not in measured]
        levels = [row.cells[column.slug].level for row in measured] + [level for _, level in others]
        if levels:
            level = min(levels, key=LEVELS.index)
            found.append(Guarded(column, level, measured, tuple(row for row, _ in others)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Group:
    """Part of the matrix.

    Attributes:
        name: short, for anchors.
        title: what its quirks have in common.
        columns: its quirks, those with something to say.
        rows: what was measured, and of the other rows those that something is known of in this part.
        clean: other rows, of which published recordings show nothing in this part.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    clean: tuple[Row, ...]


def groups(matrix: Matrix) -> tuple[Group, ...]:
    """The matrix in the order in which it is read: what breaks clients, what clients break, legal variations."""
    parts: dict[str, list[Column]] = {"breaks": [], "client": [], "legal": []}
    for column in matrix.found():
        part = "legal" if column.level == "info" else "client" if column.layer == "client" else "breaks"
        parts[part].append(column)
    found = []
    for name, columns in parts.items():
        if columns:
            speaking = {row.key for row in matrix.shown if any(row.cells[c.slug].speaks for c in columns)}
            rows = tuple(row for row in matrix.shown if row.judged or row.key in speaking)
            clean = tuple(row for row in matrix.shown if row.published is not None and row not in rows)
            found.append(Group(name, _TITLES[name], tuple(columns), rows, clean))
    return tuple(found)


def _said(row: Row, column: Column, kind: EvidenceKind) -> tuple[Level, str]:
    cell = row.cells[column.slug]
    if kind == "evidence":
        return (cell.level, cell.count) if cell.found else ("info", "")
    if column.layer == "client":
        return "info", ""
    if kind == "published":
        return (cell.published.level, cell.published.count) if cell.published is not None else ("info", "")
    return (column.level, "") if cell.reported else ("info", "")
