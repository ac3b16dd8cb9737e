"""What people read when a cell is not as it should be: always the same lines in the same order (STYLE §5)."""

from __future__ import annotations

from collections.abc import Sequence

from conformance.quirks import get
from conformance.run.execute import command
from conformance.run.outcome import counts
from conformance.run.plan import Cell, Plan
from conformance.run.rows import ExchangeRow, FindingRow

_WIDTH = 10


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
    lines = [f"not run: {detail}", _line("cell", cell.place), _line("reason", reason["reason"])]
    lines += [f"  {line}" for line in more.splitlines()]
    if reason["fix"] and reason["fix"] not in reason["detail"]:
        lines.append(_line("fix", reason["fix"]))
    return "\n".join(lines)


def _line(label: str, text: str) -> str:
    return f"  {label:<{_WIDTH}}{' '.join(text.split())}"
