"""What people read when a cell is not as it should be: always the same lines in the same order (STYLE §5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from conformance.quirks import get
from conformance.run.execute import command
from conformance.run.outcome import counts
from conformance.run.plan import Cell, Plan
from conformance.run.rows import ExchangeRow, FindingRow
from conformance.text import visible

_WIDTH: Final = 10
_LONGEST: Final = 2000
_NOT_RUN: Final = "not run: "
_CELL: Final = re.compile(r"^  cell +(.*)$", re.MULTILINE)
_CELLS: Final = "\0"  # stands in no failure: all text in it is made visible


def failure(plan: Plan, cell: Cell, rows: Sequence[ExchangeRow], *, strict: bool) -> str:
    """Everything that makes this cell red, one paragraph each; `""` if nothing does."""
    parts = []
    told: set[tuple[str, str]] = set()
    for row in rows:
        parts += [_finding(plan, cell, row, found) for found in row["findings"] if counts(found, strict)]
        reason = row["not_run"]
        if reason is not None and plan.has_to_run(cell.provider.name):
            key = (reason["reason"], reason["detail"])
            if key not in told:
                told.add(key)
                parts.append(_not_run(cell, row))
    return "\n\n".join(parts)


def together(texts: Sequence[str]) -> list[str]:
    """Failures of several cells with what was not run for one reason told once, and its cells counted.

    Args:
        texts: what `failure` returned, one for each cell.
    """
    told: dict[str, list[str]] = {}
    for text in texts:
        for part in text.split("\n\n"):
            cell = _CELL.search(part) if part.startswith(_NOT_RUN) else None
            key = part if cell is None else part[: cell.start()] + _CELLS + part[cell.end() :]
            told.setdefault(key, []).append(cell[1] if cell is not None else "")
    return [
        part.replace(_CELLS, _line("cell", cells[0] + (f", and {len(cells) - 1} more" if len(cells) > 1 else "")))
        for part, cells in told.items()
    ]


def where(row: ExchangeRow, found: FindingRow) -> str:
    """Where a finding shows: cassette, interaction, event, byte, JSON pointer."""
    evidence, place = row["evidence"], found["where"]
    parts = [evidence["cassette"] if evidence else "the live answer"]
    if row["step"]:
        parts.append(f"interaction {row['step']}")
    if place["event"] is not None:
        parts.append(f"event {place['event']}")
    if place["byte"] is not None:
        parts.append(f"byte {place['byte']}")
    if place["pointer"]:
        parts.append(place["pointer"])
    return ", ".join(parts)


def _finding(plan: Plan, cell: Cell, row: ExchangeRow, found: FindingRow) -> str:
    sources = get(found["quirk"]).sources
    source = " ".join(filter(None, (sources[0].title, sources[0].url))) if sources else "observed"
    lines = [
        f"{found['quirk']}  {cell.place}  [{found['level']}]",
        _line("finding", found["message"]),
        _line("expected", found["expected"]),
        _line("actual", found["actual"]),
        _line("where", where(row, found)),
        _line("source", source),
        _line("rerun", command(cell, "--live" if plan.run_mode == "live" else "")),
    ]
    return "\n".join(lines)


def _not_run(cell: Cell, row: ExchangeRow) -> str:
    reason = row["not_run"]
    assert reason is not None
    detail, _, more = reason["detail"].partition("\n")
    lines = [f"{_NOT_RUN}{visible(detail, _LONGEST)}", _line("cell", cell.place), _line("reason", reason["reason"])]
    lines += [f"  {visible(line, _LONGEST)}" for line in more.split("\n") if line]
    if reason["fix"] and reason["fix"] not in reason["detail"]:
        lines.append(_line("fix", reason["fix"]))
    return "\n".join(lines)


def _line(label: str, text: str) -> str:
    return f"  {label:<{_WIDTH}}{visible(' '.join(text.split()), _LONGEST)}"
