"""No secret, no part of one and no encoding of one reaches a file or a stream, whatever a server does with it."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from conformance.cli import call
from conformance.run.record import load_record
from conformance.scenarios import catalogue
from conformance.transport import read_cassette
from tests.safety.leaks import ALL, HEADER, KEY, LEAKS, QUERY, REFUSALS, SECRETS, left
from tests.transport.server import serving

FILE: Final = """\
providers:
  acme:
    base_url: ${ACME_URL:-http://127.0.0.1:9/v1}
    models: [m]
    api_key_env: ACME_API_KEY
    headers: {X-Api-Key: "${ACME_HEADER}", X-Title: "${ACME_HEADER}"}
    query: {key: "${ACME_QUERY}"}
"""
NAMES: Final = sorted(scenario.name for scenario in catalogue() if scenario.steps == 1 and "complete" in scenario.modes)
SCENARIOS: Final = dict(zip(NAMES, LEAKS, strict=False))
"""Which scenario meets which leak, in the order in which they run."""


@dataclass
class Traces:
    """What one project left behind.

    Attributes:
        folder: of the project.
        said: what was printed, by command.
    """

    folder: Path
    said: dict[str, str] = field(default_factory=dict)

    def call(self, *args: str) -> int:
        """Run a command of ours."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = call(list(args))
        self.said[" ".join(args)] = out.getvalue()
        return code


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Traces]:
    """A project in which everything was done that writes or prints."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "providers.yaml").write_text(FILE)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, value in zip(("ACME_API_KEY", "ACME_HEADER", "ACME_QUERY"), SECRETS, strict=True):
            patch.setenv(name, value)
        traces = Traces(folder)
        _record(traces, patch)
        _refused(traces, patch)
        _under_pytest(traces, patch)
        for name in ("ACME_API_KEY", "ACME_HEADER", "ACME_QUERY", "ACME_URL"):
            patch.delenv(name, raising=False)
        _offline(traces)
        yield traces


def _record(traces: Traces, patch: pytest.MonkeyPatch) -> None:
    names = ",".join(SCENARIOS)
    with serving(*LEAKS.values()) as local:
        patch.setenv("ACME_URL", local.url)
        run = ("run", "-p", "acme", "-s", names, "--mode", "complete", "--retries", "0", "--timeout", "2", "--record")
        traces.call(*run, "-o", "recorded")
        assert len(local.requests) == len(SCENARIOS)
        assert KEY.encode() in local.requests[0]
        assert HEADER.encode() in local.requests[0]
        assert QUERY.encode() in local.requests[0]


def _refused(traces: Traces, patch: pytest.MonkeyPatch) -> None:
    for name, answer in REFUSALS.items():
        with serving(answer) as local:
            patch.setenv("ACME_URL", local.url)
            traces.call(
                "run", "-p", "acme", "-s", "no_call", "--mode", "complete", "--live", "--timeout", "2", "-o", name
            )


def _under_pytest(traces: Traces, patch: pytest.MonkeyPatch) -> None:
    with serving(*LEAKS.values()) as local:
        patch.setenv("ACME_URL", local.url)
        options = ("--conformance-live", "--conformance-mode=complete", "--conformance-retries=0", "-vvl", "-rA")
        logs = ("--log-level=DEBUG", "--log-cli-level=DEBUG", "--junit-xml=pytest.xml", "-pno:cacheprovider")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "--pyargs", "conformance.suites", "--provider=acme", *options, *logs,
             f"--conformance-scenario={','.join(SCENARIOS)}", "--conformance-output=pytest"],
            env={**os.environ, "OPENAI_LOG": "debug"}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
    traces.said["pytest"] = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 1


def _offline(traces: Traces) -> None:
    cassettes = sorted(map(str, Path("cassettes/acme").iterdir()))
    traces.call("run", "-p", "acme", "-s", ",".join(SCENARIOS), "--mode", "complete", "-o", "replayed")
    traces.call("report", "recorded/run.jsonl", "-o", "reported")
    traces.call("merge", "recorded/run.jsonl", "-o", "merged")
    traces.call("expect", "--from", "recorded/run.jsonl")
    traces.call("inspect", *cassettes, "--events", "all")
    traces.call("inspect", *cassettes, "--format", "json", "--redact", "captures.json")
    for number, cassette in enumerate(cassettes):
        traces.call("inspect", cassette, "--report", f"report{number}")
    for format_ in ("table", "json", "md", "jsonl"):
        traces.call("audit", "cassettes", "--format", format_, "--workers", "1")


def test_there_is_a_scenario_for_every_leak() -> None:
    assert len(SCENARIOS) == len(LEAKS)


@pytest.mark.parametrize("secret", SECRETS)
def test_the_search_finds_what_is_there(secret: str) -> None:
    for name, answer in {**LEAKS, **REFUSALS}.items():
        sent = io.BytesIO()

        class Wire:
            sendall = staticmethod(sent.write)

        answer(Wire())  # type: ignore[arg-type]
        if "compressed" not in name and name != "bomb" and ALL.encode() in sent.getvalue():
            assert left(secret.encode()) <= left(sent.getvalue())


def test_no_file_tells_a_secret(project: Traces) -> None:
    files = [path for path in project.folder.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} >= {".yaml", ".jsonl", ".md", ".html", ".json", ".xml", ".sse", ".sh"}
    assert {str(path.relative_to(project.folder)): found for path in files if (found := left(path.read_bytes()))} == {}


def test_no_output_tells_a_secret(project: Traces) -> None:
    assert all(project.said.values())
    assert {name: found for name, text in project.said.items() if (found := left(text.encode()))} == {}


def test_no_recorded_answer_spells_one_out(project: Traces) -> None:
    exchanges = [one for path in (project.folder / "cassettes").rglob("*.yaml") for one in read_cassette(path)]
    assert len(exchanges) > len(LEAKS) * 0.8
    for exchange in exchanges:
        assert left(exchange.body) == set(), exchange.scenario
        assert sum(piece.size for piece in exchange.pieces) == len(exchange.body)


def test_what_is_replayed_is_what_was_judged(project: Traces) -> None:
    recorded, replayed = (load_record(project.folder / name / "run.jsonl") for name in ("recorded", "replayed"))
    kept = {row["scenario"]: row for row in recorded.exchanges if row["evidence"] is not None}
    again = {row["scenario"]: row for row in replayed.exchanges if row["scenario"] in kept}
    for name, row in kept.items():
        assert (row["sha256"], row["findings"], row["not_run"]) == (
            again[name]["sha256"],
            again[name]["findings"],
            again[name]["not_run"],
        ), SCENARIOS[name]


def test_what_cannot_be_masked_is_not_kept(project: Traces) -> None:
    rows = load_record(project.folder / "recorded" / "run.jsonl").exchanges
    reasons = {SCENARIOS[row["scenario"]]: row["not_run"]["reason"] for row in rows if row["not_run"] is not None}
    assert reasons["compressed"] == "secret"
    assert reasons["compressed, not declared"] == "secret"
    assert reasons["bomb"] == "limit"
