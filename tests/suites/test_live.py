"""Live: plain requests, nothing kept."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from conformance.run.record import load_record
from conformance.scenarios import catalogue
from tests.fake_provider import FakeProvider
from tests.suites.conftest import KEY, Run

pytest_plugins = ["pytester"]

CELLS = sum(len(scenario.modes) for scenario in catalogue())


def test_an_endpoint_by_address(fake: FakeProvider, run: Run, project: Path) -> None:
    result = run(
        f"--conformance-base-url={fake.url}", "--conformance-model=tiny", "--conformance-output=out", scenarios=""
    )
    assert result.ret == 0
    record = load_record(project / "out" / "run.jsonl")
    assert record.header["run_mode"] == "live"
    assert {(r["provider"], r["model"]) for r in record.exchanges} == {("local", "tiny")}
    assert not [r for r in record.exchanges if r["not_run"] or r["evidence"]]
    assert not (project / "cassettes").exists()
    assert {body["model"] for body in fake.requests} == {"tiny"}
    assert "authorization" not in fake.headers[0]


def test_encodings_asked_for(fake: FakeProvider, run: Run) -> None:
    run(f"--conformance-base-url={fake.url}", "--conformance-model=m", scenarios="compressed,single_call")
    assert sorted(h["accept-encoding"] for h in fake.headers) == ["gzip", "gzip", "identity", "identity"]


def test_a_key_by_the_name_of_its_variable(fake: FakeProvider, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    run(
        f"--conformance-base-url={fake.url}",
        "--conformance-model=m",
        "--conformance-api-key-env=MY_KEY",
        scenarios="no_call",
    )
    assert {h["authorization"] for h in fake.headers} == {f"Bearer {KEY}"}


def test_samples_repeat_every_exchange(fake: FakeProvider, run: Run, project: Path) -> None:
    result = run(
        f"--conformance-base-url={fake.url}",
        "--conformance-model=m",
        "--conformance-samples=2",
        "--conformance-output=out",
        scenarios="round_trip",
    )
    result.assert_outcomes(passed=4)
    rows = load_record(project / "out" / "run.jsonl").exchanges
    assert [(r["mode"], r["sample"], r["step"]) for r in rows] == [
        (mode, sample, step) for mode in ("complete", "stream") for sample in (0, 1) for step in (0, 1)
    ]


def test_a_refused_connection_is_said_per_cell_and_tried_once(fake: FakeProvider, run: Run) -> None:
    fake.close()
    result = run(f"--conformance-base-url={fake.url}", "--conformance-model=m", scenarios="")
    result.assert_outcomes(failed=CELLS)
    assert result.stdout.str().count("\nnot run: connection refused by") == CELLS
    assert "conformance run --base-url" not in result.stdout.str(), "running again does not help"


# blocking raises within socket.create_connection, which then forgets its socket
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_blocked_network_is_not_run(fake: FakeProvider, run: Run) -> None:
    result = run(f"--conformance-base-url={fake.url}", "--conformance-model=m", "--block-network")
    result.assert_outcomes(failed=4)
    result.stdout.fnmatch_lines(["not run: * is not asked: --block-network is on", "  reason    blocked"])
    assert fake.requests == []
    gc.collect()


@pytest.mark.parametrize("flag", ["--conformance-live", "--disable-recording"])
def test_live_asks_though_there_are_cassettes(
    recorded: FakeProvider, run: Run, monkeypatch: pytest.MonkeyPatch, flag: str
) -> None:
    monkeypatch.setenv("ACME_URL", recorded.url)
    monkeypatch.setenv("ACME_API_KEY", KEY)
    run("--provider=acme", flag).assert_outcomes(passed=4)
    assert len(recorded.requests) == 6


def test_should_counts_when_strict(fake: FakeProvider, run: Run) -> None:
    fake.vice = "empty-id"
    where = (f"--conformance-base-url={fake.url}", "--conformance-model=m")
    run(*where, scenarios="single_call").assert_outcomes(passed=2)
    run(*where, "--conformance-strict", scenarios="single_call").assert_outcomes(failed=2)


def test_a_model_that_never_calls_is_not_red(fake: FakeProvider, run: Run, project: Path) -> None:
    fake.vice = "never-calls"
    result = run(
        f"--conformance-base-url={fake.url}",
        "--conformance-model=m",
        "--conformance-output=out",
        scenarios="single_call,two_tools,parallel_round_trip",
    )
    assert result.ret == 0
    rows = load_record(project / "out" / "run.jsonl").exchanges
    assert not any("id-missing" in r["applicable"] for r in rows)
    assert {r["step"] for r in rows} == {0}


def test_a_key_with_a_line_break_is_found_before_anything_is_sent(
    fake: FakeProvider, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACME_URL", fake.url)
    monkeypatch.setenv("ACME_API_KEY", f"{KEY}\n")
    result = run("--provider=acme", "--conformance-live")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    said = result.stdout.str() + result.stderr.str()
    assert "acme: ACME_API_KEY holds white space" in said
    assert KEY not in said
    assert fake.requests == []
