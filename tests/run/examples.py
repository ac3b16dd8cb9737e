"""Providers, cells and record lines for the tests of the run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conformance.model import Mode
from conformance.providers.models import Provider
from conformance.run.plan import Cell, Plan, make_plan
from conformance.run.rows import ExchangeRow, FindingRow, Header
from conformance.scenarios import catalogue, get


def provider(name: str = "acme", **fields: Any) -> Provider:
    return Provider.model_validate(
        {"name": name, "base_url": "http://127.0.0.1:9/v1", "models": ["m1", "m2"], **fields}
    )


def cell(scenario: str = "single_call", mode: Mode = "stream", **fields: Any) -> Cell:
    return Cell(provider(**fields), "m1", get(scenario), mode)


def plan(cassettes: Path, *providers: Provider, **fields: Any) -> Plan:
    return make_plan(providers or (provider(),), fields.pop("scenarios", catalogue()), cassettes=cassettes, **fields)


def finding(quirk: str = "index-missing", level: Any = "must", expected_by: str | None = None) -> FindingRow:
    return {
        "quirk": quirk,
        "level": level,
        "layer": "server",
        "message": "A call has no index.",
        "expected": "an index",
        "actual": "absent",
        "count": 1,
        "where": {"event": 1, "byte": 20, "pointer": "/choices/0/delta/tool_calls/0"},
        "choice": 0,
        "call": 0,
        "expected_by": expected_by,
    }


def row(provider: str = "acme", **fields: Any) -> ExchangeRow:
    line: dict[str, Any] = {
        "type": "exchange",
        "provider": provider,
        "model": "m1",
        "scenario": "single_call",
        "mode": "stream",
        "step": 0,
        "sample": 0,
        "source": "test_streaming[acme-single_call-stream]",
        "not_run": None,
        "evidence": {"cassette": "cassettes/acme/single_call.stream.yaml", "interaction": 0},
        "recorded_at": None,
        "status": 200,
        "answered_mode": "stream",
        "complete": True,
        "finish_reason": "tool_calls",
        "calls": [],
        "bytes": 10,
        "sha256": "0" * 64,
        "duration_ms": None,
        "applicable": ["index-missing"],
        "findings": [],
        **fields,
    }
    return line  # type: ignore[return-value]


def not_run(provider: str = "acme", reason: str = "cassette-missing", **fields: Any) -> ExchangeRow:
    why = {"reason": reason, "detail": "it is not there", "fix": "record it"}
    return row(provider, not_run=why, evidence=None, status=None, applicable=[], **fields)


HEADER: Header = {
    "type": "header",
    "schema": "conformance/run/1",
    "version": "0.1.0",
    "started": "2026-11-30T00:00:00+00:00",
    "run_mode": "replay",
    "python": "3.11.7",
    "packages": {},
    "providers": [],
    "quirks": [],
    "scenarios": [],
}
