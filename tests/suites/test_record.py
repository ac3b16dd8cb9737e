"""Recording: pytest-recording's modes mean what they always mean, and a good recording is never lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.run.record import load_record
from tests.fake_provider import FakeProvider
from tests.suites.conftest import KEY, Run

pytest_plugins = ["pytester"]

SINGLE = "cassettes/acme/single_call.stream.yaml"


@pytest.fixture
def asked(recorded: FakeProvider, monkeypatch: pytest.MonkeyPatch) -> FakeProvider:
    """The recorded provider, reachable and with its key."""
    monkeypatch.setenv("ACME_URL", recorded.url)
    monkeypatch.setenv("ACME_API_KEY", KEY)
    return recorded


def files(project: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in project.rglob("cassettes/**/*") if path.is_file()}


def test_rewrite_asks_for_everything_again(asked: FakeProvider, run: Run, project: Path) -> None:
    before = files(project)
    result = run("--provider=acme", "--record-mode=rewrite", "--conformance-output=out")
    result.assert_outcomes(passed=4)
    assert len(asked.requests) == 6
    assert files(project).keys() == before.keys()
    assert load_record(project / "out" / "run.jsonl").header["run_mode"] == "record"


def test_once_keeps_what_is_there(
    asked: FakeProvider, run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / SINGLE).unlink()
    run("--provider=acme", "--record-mode=once").assert_outcomes(passed=4)
    assert len(asked.requests) == 1
    assert (project / SINGLE).exists()
    monkeypatch.delenv("ACME_API_KEY")
    run("--provider=acme", "--record-mode=once").assert_outcomes(passed=4)


def test_a_server_that_is_gone_costs_no_recording(asked: FakeProvider, run: Run, project: Path) -> None:
    before = files(project)
    asked.close()
    result = run("--provider=acme", "--record-mode=rewrite")
    result.assert_outcomes(failed=4)
    result.stdout.fnmatch_lines(["not run: connection refused by 127.0.0.1:*", "  reason    refused"])
    assert files(project) == before


def test_a_refused_key_costs_no_recording_and_is_not_recorded(asked: FakeProvider, run: Run, project: Path) -> None:
    (project / SINGLE).unlink()
    before = files(project)
    asked.vice = "refuses-key"
    result = run("--provider=acme", "--record-mode=rewrite", "--conformance-output=out")
    result.assert_outcomes(failed=4)
    assert files(project) == before
    assert len(asked.requests) == 1, "a key that was refused once is not tried again"
    assert KEY not in result.stdout.str()
    rows = load_record(project / "out" / "run.jsonl").exchanges
    assert [r["evidence"] for r in rows] == [None] * len(rows)


def test_a_server_error_is_recorded_and_is_the_servers_fault(asked: FakeProvider, run: Run) -> None:
    asked.vice = "fails"
    for mode in ("rewrite", "none"):
        result = run("--provider=acme", f"--record-mode={mode}")
        result.assert_outcomes(failed=4)
        result.stdout.fnmatch_lines(
            ["server-error  acme/single_call/stream  *", "  actual    HTTP 500: Internal Server Error"]
        )


def test_a_cut_stream_is_recorded_as_it_was(asked: FakeProvider, run: Run) -> None:
    asked.vice = "drops"
    for mode in ("rewrite", "none"):
        result = run("--provider=acme", f"--record-mode={mode}", scenarios="single_call")
        result.assert_outcomes(passed=1, failed=1)
        result.stdout.fnmatch_lines(["connection-cut  acme/single_call/stream  *"])


def test_without_a_key_nothing_is_sent(asked: FakeProvider, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ACME_API_KEY")
    result = run("--provider=acme", "--record-mode=rewrite")
    result.assert_outcomes(failed=4)
    result.stdout.fnmatch_lines(["not run: ACME_API_KEY is not set*", "  reason    no-key"])
    assert asked.requests == []


def test_a_corrupt_cassette_is_not_extended(asked: FakeProvider, run: Run, project: Path) -> None:
    path = project / SINGLE
    path.write_bytes(b"")
    result = run("--provider=acme", "--record-mode=once")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["  reason    cassette-corrupt"])
    assert path.read_bytes() == b""
    assert asked.requests == []


def test_a_cassette_that_cannot_be_written_is_one_sentence(
    fake: FakeProvider, run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACME_URL", fake.url)
    monkeypatch.setenv("ACME_API_KEY", KEY)
    (project / "cassettes").write_text("in the way")
    result = run("--provider=acme", "--record-mode=rewrite", scenarios="no_call")
    assert result.ret == 1
    assert "Traceback" not in result.stdout.str()
    assert "site-packages" not in result.stdout.str()
