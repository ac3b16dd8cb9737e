"""Invented run records for the tests of the reports: exchanges, findings, providers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conformance.audit.observation import Observation
from conformance.report.matrix import Cell, Matrix, Row, build
from conformance.run.record import Record
from conformance.run.rows import ExchangeRow, FindingRow, Footer, Header, ProviderRow

QUIRKS = [
    {"slug": "index-missing", "area": "index", "level": "must", "title": "An entry has no usable index"},
    {"slug": "index-stray-tail", "area": "index", "level": "must", "title": "A call's pieces come under other indexes"},
    {"slug": "connection-cut", "area": "framing", "level": "must", "title": "The connection is cut"},
    {"slug": "call-in-content", "area": "content", "level": "must", "title": "A call is written as text"},
    {"slug": "id-duplicated", "area": "id", "level": "must", "title": "Two calls share an id"},
    {"slug": "id-empty-on-continuation", "area": "id", "level": "should", "title": "Continuations carry an empty id"},
    {"slug": "comment", "area": "framing", "level": "info", "title": "The stream holds comments"},
]
ALL = [quirk["slug"] for quirk in QUIRKS]


def call(id: str = "call_1", *, usable: bool = True, name: str = "get_weather") -> dict[str, Any]:  # noqa: A002
    return {"id": id, "name": name, "usable": usable}


def finding(quirk: str = "index-missing", level: str = "must", **fields: Any) -> FindingRow:
    line: dict[str, Any] = {
        "quirk": quirk,
        "level": level,
        "layer": "server",
        "message": "An entry has no index.",
        "expected": "an index",
        "actual": "absent",
        "count": 1,
        "where": {"event": 3, "byte": 812, "pointer": "/choices/0/delta/tool_calls/0"},
        "choice": 0,
        "call": 0,
        "expected_by": None,
        **fields,
    }
    return line  # type: ignore[return-value]


def exchange(
    provider: str = "acme", scenario: str = "single_call", mode: str = "stream", *findings: FindingRow, **fields: Any
) -> ExchangeRow:
    line: dict[str, Any] = {
        "type": "exchange",
        "provider": provider,
        "model": "m1",
        "scenario": scenario,
        "mode": mode,
        "step": 0,
        "sample": 0,
        "source": f"test_streaming[{provider}-{scenario}-{mode}]",
        "not_run": None,
        "evidence": {"cassette": f"cassettes/{provider}/{scenario}.{mode}.yaml", "interaction": 0},
        "recorded_at": "2026-11-29T10:00:00+00:00",
        "status": 200,
        "answered_mode": mode,
        "complete": True,
        "finish_reason": "tool_calls",
        "calls": [call()],
        "bytes": 900,
        "sha256": "0" * 64,
        "duration_ms": 12.5,
        "applicable": ALL,
        "findings": list(findings),
        **fields,
    }
    return line  # type: ignore[return-value]


def missing(provider: str = "acme", scenario: str = "single_call", mode: str = "stream", **why: str) -> ExchangeRow:
    reason = {"reason": "refused", "detail": "connection refused", "fix": "start the server", **why}
    nothing: dict[str, Any] = {"not_run": reason, "evidence": None, "status": None, "answered_mode": None}
    nothing |= {"complete": None, "finish_reason": None, "calls": [], "bytes": None, "sha256": None}
    return exchange(provider, scenario, mode, **nothing, recorded_at=None, duration_ms=None, applicable=[])


def provider(name: str = "acme", **fields: Any) -> ProviderRow:
    line: dict[str, Any] = {
        "name": name,
        "base_url": f"https://{name}.example/v1",
        "models": ["m1"],
        "verified": "2026-11-01",
        "recorded": True,
        "selected": False,
        "expectations": [],
        "source": [],
        "left_out": [],
        **fields,
    }
    return line  # type: ignore[return-value]


def expectation(quirk: str, reason: str = "it always did") -> dict[str, Any]:
    return {"quirk": quirk, "reason": reason, "source": "reference 000 §5", "modes": [], "scenarios": []}


def record(
    *exchanges: ExchangeRow,
    providers: list[ProviderRow] | None = None,
    stale: list[dict[str, Any]] | None = None,
    finished: bool = True,
    unexpected: int | None = None,
    **header: Any,
) -> Record:
    """A record of these exchanges; `unexpected` is the footer's count (of `must` findings, if not given)."""
    names = dict.fromkeys(row["provider"] for row in exchanges)
    head: dict[str, Any] = {
        "type": "header",
        "schema": "conformance/run/1",
        "version": "0.1.0",
        "started": "2026-11-30T00:00:00+00:00",
        "run_mode": "replay",
        "python": "3.11.7",
        "packages": {"openai": "3.50.1"},
        "providers": [provider(name) for name in names] if providers is None else providers,
        "quirks": QUIRKS,
        "scenarios": [],
        **header,
    }
    bad = sum(f["level"] == "must" and f["expected_by"] is None for row in exchanges for f in row["findings"])
    foot: dict[str, Any] = {
        "type": "footer",
        "exchanges": len(exchanges),
        "finished": "2026-11-30T00:01:00+00:00",
        "unexpected": bad if unexpected is None else unexpected,
        "stale": stale or [],
        "not_run": 0,
        "exit_code": 0,
    }
    typed_head: Header = head  # type: ignore[assignment]
    typed_foot: Footer = foot  # type: ignore[assignment]
    return Record(Path("run.jsonl"), typed_head, tuple(exchanges), typed_foot if finished else None)


def observation(
    provider: str = "acme", quirk: str = "index-missing", found: int = 2, applicable: int = 5, **fields: Any
) -> Observation:
    line: dict[str, Any] = {
        "provider": provider,
        "model": "m9" if found else "",
        "mode": "stream",
        "quirk": quirk,
        "level": "must",
        "occurrences": found,
        "applicable": applicable,
        "first": "2025-01-04",
        "last": "2026-03-07",
        "repository": "octo/agent",
        "commit": "0123456789abcdef0123456789abcdef01234567",
        "path": "tests/cassettes/tools.yaml",
        "interaction": 1,
        "licence": "Apache-2.0",
        **fields,
    }
    return line  # type: ignore[return-value]


def row_of(matrix: Matrix, name: str = "acme") -> Row:
    (found,) = [row for row in matrix.rows if row.label == name]
    return found


def cell_of(*records: Record, quirk: str = "index-missing", name: str = "acme") -> Cell:
    return row_of(build(*records), name).cells[quirk]


NASTY = "<script>alert(1)</script> | `x` ``y`` [a](b) *b* @octo \x1b[31m\x00 \n# head \u202e \ud83d ]]>"
"""What a provider may put into a tool's name, an id or an error message."""


def nasty() -> Record:
    """A record in which everything a provider controls is `NASTY`."""
    found = finding(message=NASTY, actual=NASTY, expected=NASTY)
    found["where"]["pointer"] = f"/{NASTY}"
    return record(
        exchange("acme", "single_call", "stream", found, calls=[call(NASTY, name=NASTY)]),
        missing("acme", "no_call", detail=NASTY, fix=NASTY),
        providers=[provider(expectations=[expectation("comment", NASTY)], verified=NASTY)],
    )
