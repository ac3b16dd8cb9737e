"""What makes a run red, and what does not."""

from pathlib import Path
from typing import Any

import pytest

from conformance.providers.models import Provider
from conformance.run.header import header
from conformance.run.outcome import conclude
from conformance.run.plan import Shard
from conformance.run.rows import ExchangeRow, Header
from tests.run.examples import finding, not_run, plan, provider, row

EXPECTATION = {
    "quirk": "index-missing",
    "reason": "seen",
    "source": {"url": "https://example.org/1", "date": "2026-11-01"},
    "min_applicable": 2,
}


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    (tmp_path / "acme").mkdir()
    (tmp_path / "acme" / "x.yaml").write_text("x")
    return tmp_path


def head(folder: Path, *providers: Provider, **fields: Any) -> Header:
    return header(plan(folder, *providers, **fields))


def expecting(folder: Path, **fields: Any) -> Header:
    return head(folder, provider(expectations=[EXPECTATION]), **fields)


@pytest.mark.parametrize(
    ("rows", "strict", "code"),
    [
        ([row()], False, 0),
        ([row(findings=[finding(level="must")])], False, 1),
        ([row(findings=[finding(level="should")])], False, 0),
        ([row(findings=[finding(level="should")])], True, 1),
        ([row(findings=[finding(level="info")])], True, 0),
        ([row(findings=[finding(level="must", expected_by="seen")])], True, 0),
        ([row(), not_run()], False, 1),
    ],
    ids=["clean", "must", "should", "should-strict", "info-strict", "expected", "not-run"],
)
def test_the_exit_code(recorded: Path, rows: list[ExchangeRow], strict: bool, code: int) -> None:
    assert conclude(head(recorded), rows, strict=strict).exit_code == code


def test_a_provider_without_recording_that_nobody_named_is_not_red(tmp_path: Path) -> None:
    outcome = conclude(head(tmp_path), [not_run(reason="no-recording")], strict=False)
    assert (outcome.not_run, outcome.judged, outcome.exit_code) == (0, 0, 5)


def test_named_it_is_red(tmp_path: Path) -> None:
    outcome = conclude(head(tmp_path, named=["acme"]), [not_run(reason="no-recording")], strict=False)
    assert (outcome.not_run, outcome.exit_code) == (1, 1)


def test_an_expectation_that_enough_exchanges_disprove_is_stale(recorded: Path) -> None:
    outcome = conclude(expecting(recorded), [row(), row()], strict=False)
    assert outcome.stale == ({"provider": "acme", "quirk": "index-missing", "applicable": 2, "found": 0},)
    assert outcome.exit_code == 1


@pytest.mark.parametrize(
    "rows",
    [
        [row()],
        [row(), row(applicable=[])],
        [row(), row(), row(findings=[finding(expected_by="seen")])],
        [row(), not_run()],
    ],
    ids=["too-few", "not-applicable", "found", "not-run"],
)
def test_otherwise_it_is_not(recorded: Path, rows: list[ExchangeRow]) -> None:
    assert not conclude(expecting(recorded), rows, strict=False).stale


def test_a_selection_of_scenarios_disproves_nothing(recorded: Path) -> None:
    assert not conclude(expecting(recorded, narrowed=True), [row(), row()], strict=False).stale


def test_nor_does_a_shard(recorded: Path) -> None:
    assert not conclude(expecting(recorded, shard=Shard(1, 2)), [row(), row()], strict=False).stale
