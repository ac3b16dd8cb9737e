"""Go on with a run that was interrupted, killed, or could not reach a server: what was measured is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from conformance.errors import ConfigError
from conformance.run.header import header
from conformance.run.plan import Plan
from conformance.run.record import Record, load_record, salvage
from conformance.run.rows import ExchangeRow, Header


@dataclass(frozen=True, slots=True)
class Kept:
    """What need not be measured again.

    Attributes:
        rows: the lines of whole cells.
        cells: ids of those cells.
        started: when the earlier tries started.
    """

    rows: tuple[ExchangeRow, ...] = ()
    cells: frozenset[str] = field(default_factory=frozenset)
    started: tuple[str, ...] = ()


def kept(path: Path, plan: Plan) -> Kept:
    """Read what an earlier try left at `path`; nothing if nothing is there.

    A cell is kept if all its exchanges were judged and, in a recording run, its cassette is there. Others are measured
    again.

    Raises:
        ConfigError: that was another run: another version, other providers, or another way to get exchanges.
        RecordError: it cannot be read.
    """
    salvage(path)
    if not path.exists():
        return Kept()
    record = load_record(path, incomplete=True)
    _same_run(record, header(plan))
    by_cell: dict[tuple[str, str, str, str, int], list[ExchangeRow]] = {}
    for row in record.exchanges:
        key = (row["provider"], row["model"], row["scenario"], row["mode"], row["sample"])
        by_cell.setdefault(key, []).append(row)
    rows: list[ExchangeRow] = []
    cells: set[str] = set()
    for cell in plan.cells:
        mine = by_cell.get((cell.provider.name, cell.model, cell.scenario.name, cell.mode, cell.sample), [])
        there = plan.run_mode != "record" or plan.cassette(cell).exists()
        if mine and there and all(row["not_run"] is None for row in mine):
            rows += mine
            cells.add(cell.id)
    started = (*record.header.get("resumed", ()), record.header["started"])
    return Kept(tuple(rows), frozenset(cells), started)


def _same_run(record: Record, now: Header) -> None:
    then = record.header
    for what, a, b in (
        ("version of conformance", then["version"], now["version"]),
        ("way to get exchanges", then["run_mode"], now["run_mode"]),
        ("set of quirks", [q["slug"] for q in then["quirks"]], [q["slug"] for q in now["quirks"]]),
        ("address of a provider", _addresses(then, now), _addresses(now, then)),
    ):
        if a != b:
            raise ConfigError(f"{record.path}: --resume finds another {what} there; run without --resume")


def _addresses(one: Header, other: Header) -> Mapping[str, str]:
    """Of the providers that both name."""
    both = {p["name"] for p in one["providers"]} & {p["name"] for p in other["providers"]}
    return {p["name"]: p["base_url"] for p in one["providers"] if p["name"] in both}
