"""Badges say what the exit code says, and what was not measured is never green."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.cli import call
from conformance.report.badges import render
from conformance.report.matrix import build
from conformance.run.record import Record
from tests.report.examples import NASTY, exchange, expectation, finding, missing, provider, record

DATA = Path(__file__).parent / "data"
KNOWN = finding(expected_by="it always did")
STALE = [{"provider": "acme", "quirk": "index-missing", "applicable": 7}]


def badges(*records: Record, strict: bool = False) -> dict[str, dict[str, Any]]:
    return {name: json.loads(text) for name, text in render(build(*records, strict=strict)).items()}


def shown(*records: Record, name: str = "acme", strict: bool = False) -> tuple[str, str]:
    """Message and colour of one badge."""
    badge = badges(*records, strict=strict)[f"{name}.json"]
    return badge["message"], badge["color"]


def test_what_shields_reads() -> None:
    assert badges(record(exchange()))["acme.json"] == {
        "schemaVersion": 1,
        "label": "acme",
        "message": "safe",
        "color": "brightgreen",
        "isError": False,
    }


@pytest.mark.parametrize(
    ("only", "message", "colour"),
    [
        (record(exchange("acme", "a", "stream", finding(), finding())), "2 unexpected", "red"),
        (record(exchange("acme", "a", "stream", KNOWN)), "needs 1 guard", "yellow"),
        (record(exchange("acme", "a", "stream", finding(level="info"))), "safe", "brightgreen"),
        (record(exchange("acme", "a", "stream", finding(level="should"))), "needs 1 guard", "yellow"),
        (record(exchange(), stale=STALE), "1 stale", "red"),
        (record(exchange(), missing("acme", "no_call")), "1 not run", "red"),
        (record(exchange(calls=[])), "undecided", "lightgrey"),
        (record(exchange(), finished=False), "incomplete", "orange"),
        (
            record(exchange("acme", "a", "stream", finding()), missing("acme", "b"), stale=STALE),
            "1 unexpected, 1 stale, 1 not run",
            "red",
        ),
    ],
)
def test_what_a_badge_says(only: Record, message: str, colour: str) -> None:
    assert shown(only) == (message, colour)
    assert badges(only)["acme.json"]["isError"] is (colour == "red")


def test_a_lost_stream_is_said_first() -> None:
    lost = exchange(
        "acme", "a", "stream", finding(expected_by="known"), calls=[{"id": "", "name": "f", "usable": False}]
    )
    assert shown(record(lost, exchange("acme", "a", "complete"))) == ("do not stream tools", "orange")


def test_strict_makes_should_red() -> None:
    only = record(exchange("acme", "a", "stream", finding(level="should")))
    assert shown(only, strict=True) == ("1 unexpected", "red")


def test_what_was_not_measured_is_grey() -> None:
    unnamed = record(exchange(), providers=[provider(), provider("zeta", recorded=False)])
    assert shown(unnamed, name="zeta") == ("no recording", "lightgrey")
    assert shown(unnamed, name="all") == ("1 of 2 safe", "yellow")
    nothing = record(providers=[provider("zeta", recorded=False)])
    assert shown(nothing, name="all") == ("nothing measured", "lightgrey")


def test_the_badge_of_all_adds_up() -> None:
    both = record(exchange("acme", "a", "stream", finding()), exchange("zeta", "a", "stream", finding()))
    assert shown(both, name="all") == ("2 unexpected", "red")
    assert shown(record(exchange(), exchange("zeta")), name="all") == ("2 of 2 safe", "brightgreen")
    assert shown(record(exchange(), finished=False), name="all") == ("incomplete", "orange")


def test_models_have_badges_of_their_own() -> None:
    two = badges(record(exchange(), exchange(model="m.2/x", findings=[finding()])))
    assert sorted(two) == ["acme-m-2-x.json", "acme-m1.json", "all.json"]
    assert two["acme-m-2-x.json"]["label"] == "acme m.2/x"


def test_names_are_made_visible() -> None:
    for name, badge in badges(record(exchange(), exchange(model=NASTY))).items():
        assert badge["label"].isprintable()
        assert badge["message"]
        assert Path(name).name == name


def test_they_are_written_into_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["report", str(DATA / "zeta.jsonl"), "-f", "badges", "-o", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert out.splitlines() == [str(tmp_path / "all.json"), str(tmp_path / "zeta.json")]
    assert json.loads((tmp_path / "zeta.json").read_text())["message"] == "safe"


def test_without_a_folder_they_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["report", str(DATA / "zeta.jsonl"), "-f", "badges"]) == 4
    assert capsys.readouterr().err == "-f badges writes one file for each provider; say where with -o DIR\n"


def test_an_expectation_that_is_met_is_not_red() -> None:
    met = record(
        exchange("acme", "a", "stream", KNOWN), providers=[provider(expectations=[expectation("index-missing")])]
    )
    assert shown(met, name="all") == ("0 of 1 safe", "yellow")
