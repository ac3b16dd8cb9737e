"""`conformance run --step-summary`: where it goes, and that it goes nowhere unasked."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.cli import call
from conformance.report.step_summary import LIMIT
from tests.fake_provider import FakeProvider


@pytest.fixture
def summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    return tmp_path / "summary.md"


def run(*options: str, vice: str = "clean") -> int:
    with FakeProvider(vice) as server:  # type: ignore[arg-type]
        asked = ("--base-url", server.url, "--model", "m", "-s", "single_call")
        return call(["run", *asked, "-o", "out", *options])


def test_it_is_appended_to_the_file_of_the_step(summary: Path) -> None:
    summary.write_text("before\n")
    assert run("--step-summary", vice="no-index") == 1
    text = summary.read_text()
    assert text.startswith("before\n## ✕ Tool calling: unexpected\n")
    assert "index-missing" in text


def test_not_unless_it_is_asked_for(summary: Path) -> None:
    assert run() == 0
    assert not summary.exists()


def test_another_file_can_be_named(summary: Path) -> None:
    assert run("--step-summary", "mine.md") == 0
    assert Path("mine.md").read_text().startswith("## ✓ Tool calling: nothing unexpected\n")
    assert not summary.exists()


def test_outside_of_a_job_a_file_has_to_be_named(
    summary: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    assert run("--step-summary") == 4
    message = "--step-summary: GITHUB_STEP_SUMMARY is not set, so this is no step of a job; name a file\n"
    assert capsys.readouterr().err == message
    assert not Path("out").exists(), "nothing is sent"
    assert not summary.exists()


def test_a_file_that_cannot_be_is_known_before_anything_is_sent(
    summary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--step-summary", "nowhere/summary.md") == 4
    assert "nowhere/summary.md: cannot be written" in capsys.readouterr().err
    assert not Path("out").exists()
    assert not summary.exists()


def test_what_is_there_already_counts(summary: Path, capsys: pytest.CaptureFixture[str]) -> None:
    summary.write_text("x" * (LIMIT - 20_000))
    assert run("--step-summary") == 0
    assert LIMIT - 20_000 < summary.stat().st_size <= LIMIT
    summary.write_text("x" * (LIMIT - 1_000))
    assert run("--step-summary") == 0
    assert summary.stat().st_size == LIMIT - 1_000
    assert "no summary is added" in capsys.readouterr().err
