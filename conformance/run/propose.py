"""Expectations that would make a run green, as lines for `providers.yaml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from conformance.model import LEVELS
from conformance.run.outcome import counting, disproof
from conformance.run.record import Record
from conformance.run.rows import ExchangeRow, FindingRow


def proposals(record: Record, *, strict: bool = False) -> str:
    """YAML with an entry for each provider and unexpected quirk, and a comment for each expectation that is stale.

    An entry is as narrow as what was seen: the one mode if it showed in one only, the scenarios if they are few, the
    model if the run had several.

    Args:
        record: of a run.
        strict: `should` findings as well.

    Returns:
        `""` if nothing was unexpected and nothing stale.
    """
    found: dict[str, dict[str, list[tuple[ExchangeRow, FindingRow]]]] = {}
    for row in record.exchanges:
        for finding in row["findings"]:
            if finding["expected_by"] is None and finding["level"] in counting(strict):
                found.setdefault(row["provider"], {}).setdefault(finding["quirk"], []).append((row, finding))
    stale = record.footer["stale"] if record.footer is not None else []
    names = sorted({*found, *(one["provider"] for one in stale)})
    parts = []
    for name in names:
        lines = [f"{name}:"]
        lines += [f"  # {one['quirk']} {disproof(one)}" for one in stale if one["provider"] == name]
        entries = list(_entries(record, name, found.get(name, {})))
        if entries:
            text = yaml.safe_dump({"expectations": entries}, sort_keys=False, allow_unicode=True, width=110)
            lines += [f"  {line}" for line in text.splitlines()]
        parts.append("\n".join(lines) + "\n")
    return "".join(parts)


def _entries(
    record: Record, provider: str, found: Mapping[str, list[tuple[ExchangeRow, FindingRow]]]
) -> Iterator[dict[str, Any]]:
    judged = [row for row in record.exchanges if row["provider"] == provider and row["not_run"] is None]
    gravest = sorted(found.items(), key=lambda item: (min(LEVELS.index(f["level"]) for _, f in item[1]), item[0]))
    for slug, shown in gravest:
        first, finding = shown[0]
        entry: dict[str, Any] = {"quirk": slug, "reason": " ".join(finding["message"].split())[:200]}
        entry["source"] = {"document": _place(first), "date": _day(first, record)}
        modes = {row["mode"] for row, _ in shown}
        able = [row for row in judged if slug in row["applicable"]]
        if modes < {row["mode"] for row in able}:
            entry["modes"] = sorted(modes)
        scenarios = {row["scenario"] for row, _ in shown}
        if scenarios < {row["scenario"] for row in able}:
            entry["scenarios"] = sorted(scenarios)
        models = {row["model"] for row, _ in shown}
        if len(models) == 1 and len({row["model"] for row in judged}) > 1:
            entry["models"] = _escaped(*models)
        yield entry


def _place(row: ExchangeRow) -> str:
    evidence = row["evidence"]
    return f"{evidence['cassette']} interaction {evidence['interaction']}" if evidence else f"live run, {row['source']}"


def _day(row: ExchangeRow, record: Record) -> str:
    return (row["recorded_at"] or record.header["started"])[:10]


def _escaped(model: str) -> str:
    """The name as a pattern that matches it alone."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in model)
