"""Client × quirk out of `clients.json`: the structure that every view draws. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.impact.judge import SILENT, Outcome, harm, worst


@dataclass(frozen=True, slots=True)
class Cell:
    """What a client makes of a quirk.

    Attributes:
        outcome: the most harmful in any mode.
        modes: the outcome in each mode; a mode that was not asked is not there.
        cases: the faults it rests on, as in the document.
    """

    outcome: Outcome
    modes: Mapping[str, Outcome]
    cases: Sequence[Mapping[str, Any]]

    @property
    def silent(self) -> bool:
        """Whether it is wrong without a word."""
        return self.outcome in SILENT


@dataclass(frozen=True, slots=True)
class Row:
    """A client: what the document says of it, and its cells by quirk."""

    client: Mapping[str, Any]
    cells: Mapping[str, Cell]

    @property
    def honest(self) -> Cell | None:
        """The honest answers that it does not come out right on, as the cell of a quirk that every provider has.

        None if there are none. The title of each case says what the answer was.
        """
        lost = [case for case in self.client["control"] if case["outcome"] not in ("right", "not-applicable")]
        return _cell(lost) if lost else None

    @property
    def label(self) -> str:
        """Key and version: `agno 3.1.10`, `openai-python (openai==3.13.0) 3.13.0`."""
        return f"{self.client['key']} {self.client['version'] or ''}".strip()

    @property
    def lost(self) -> Sequence[Mapping[str, Any]]:
        """The honest answers that it gets wrong, as in the document."""
        return [case for case in self.client["control"] if harm(case["outcome"]) > 0]

    @property
    def tally(self) -> Mapping[Outcome, int]:
        """Quirks by outcome."""
        found: dict[Outcome, int] = {}
        for cell in self.cells.values():
            found[cell.outcome] = found.get(cell.outcome, 0) + 1
        return found


@dataclass(frozen=True, slots=True)
class Table:
    """Clients and quirks, both in the order of the document.

    Attributes:
        quirks: slug, level, title and faults of each.
        rows: the clients.
        day: when they were measured (ISO 8601).
        complete: false if the measurement was interrupted.
    """

    quirks: Sequence[Mapping[str, Any]]
    rows: Sequence[Row]
    day: str
    complete: bool

    def breaks(self, slug: str) -> Sequence[tuple[Row, Cell]]:
        """The clients that do not come out right on a quirk, the most harmed first."""
        hurt = [(row, row.cells[slug]) for row in self.rows if slug in row.cells]
        hurt = [(row, cell) for row, cell in hurt if cell.outcome not in ("right", "not-applicable")]
        return sorted(hurt, key=lambda pair: -harm(pair[1].outcome))


def table(document: Mapping[str, Any]) -> Table:
    """The table of a document (see `clients.schema.json`)."""
    rows = [_row(client) for client in document["clients"]]
    return Table(document["quirks"], rows, document["day"], document["complete"])


def _row(client: Mapping[str, Any]) -> Row:
    by_quirk: dict[str, list[Mapping[str, Any]]] = {}
    for entry in client["outcomes"]:
        by_quirk.setdefault(entry["quirk"], []).append(entry)
    cells = {}
    for slug, entries in by_quirk.items():
        modes = {entry["mode"]: entry["outcome"] for entry in entries}
        cells[slug] = Cell(worst(list(modes.values())), modes, [case for entry in entries for case in entry["faults"]])
    return Row(client, cells)


def _cell(cases: Sequence[Mapping[str, Any]]) -> Cell:
    by_mode: dict[str, list[Outcome]] = {}
    for case in cases:
        by_mode.setdefault(case["mode"], []).append(case["outcome"])
    modes = {mode: worst(outcomes) for mode, outcomes in by_mode.items()}
    return Cell(worst(list(modes.values())), modes, cases)
