"""Expectations: proposed from a run, bounded by date and rate, and what the matrix makes of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.cli import call
from conformance.run.record import load_record
from tests.fake_provider import FakeProvider

SOME = ("-s", "single_call,round_trip,no_call")


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider("no-index") as server:
        yield server


@pytest.fixture
def project(tmp_path: Path, fake: FakeProvider, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in which acme, whose calls have no index, is recorded."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ACME_URL", fake.url)
    expecting(tmp_path)
    call(["run", "-p", "acme", "--record", *SOME, "-o", "recording"])
    return tmp_path


def expecting(folder: Path, *expectations: dict[str, Any]) -> None:
    """Write the providers file."""
    acme = {"base_url": "${ACME_URL:-http://127.0.0.1:9/v1}", "models": ["m1"], "expectations": list(expectations)}
    (folder / "providers.yaml").write_text(yaml.safe_dump({"providers": {"acme": acme}}), encoding="utf-8")


def known(**fields: Any) -> dict[str, Any]:
    source = {"url": "https://example.org/1", "date": "2026-11-01"}
    return {"quirk": "index-missing", "reason": "seen", "source": source, **fields}


def replay() -> int:
    return call(["run", "-p", "acme", *SOME, "-o", "out"])


def test_what_is_proposed_makes_the_run_green(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay() == 1
    capsys.readouterr()
    assert call(["expect", "--from", "out"]) == 0
    proposed = yaml.safe_load(capsys.readouterr().out)
    (entry,) = proposed["acme"]["expectations"]
    assert entry["quirk"] == "index-missing"
    # no other mode and no other scenario could have shown it, so that there is nothing to narrow
    assert entry.keys() == {"quirk", "reason", "source"}
    assert entry["source"]["document"] == "cassettes/acme/round_trip.stream.yaml interaction 0"
    expecting(project, entry)
    assert replay() == 0
    capsys.readouterr()
    assert call(["expect", "--from", "out/run.jsonl"]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("nothing unexpected")


def test_a_proposal_is_as_narrow_as_what_was_seen(project: Path, fake: FakeProvider) -> None:
    fake.vice = "ends-with-stop"
    call(["run", "-p", "acme", "--record", "-s", "single_call", "--mode", "stream", "-o", "again"])
    replay()
    from conformance.run.propose import proposals

    record = load_record(Path("out/run.jsonl"))
    entries = {one["quirk"]: one for one in yaml.safe_load(proposals(record))["acme"]["expectations"]}
    assert entries["finish-stop-with-calls"]["modes"] == ["stream"]
    assert entries["finish-stop-with-calls"]["scenarios"] == ["single_call"]
    assert entries["index-missing"]["scenarios"] == ["round_trip"]
    expecting(project, *entries.values())
    assert replay() == 0


def test_a_stale_expectation_is_a_comment(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expecting(project, known(), known(quirk="finish-stop-with-calls", min_applicable=1))
    assert call(["run", "-p", "acme", "-o", "out"]) == 1
    capsys.readouterr()
    call(["expect", "--from", "out"])
    out = capsys.readouterr().out
    assert "  # finish-stop-with-calls was not found in " in out
    assert yaml.safe_load(out) in ({"acme": None}, {"acme": {"expectations": []}})


@pytest.mark.parametrize(("until", "code"), [("2999-12-31", 0), ("2001-01-01", 1)])
def test_an_expectation_ends_on_its_day(until: str, code: int, project: Path) -> None:
    expecting(project, known(until=until))
    assert replay() == code


def test_what_was_recorded_before_that_day_stays_expected(project: Path) -> None:
    recorded = load_record(Path("recording/run.jsonl")).exchanges[0]["recorded_at"]
    assert recorded is not None
    expecting(project, known(until=recorded[:10]))
    assert replay() == 0


def test_found_more_often_than_the_rate_is_red(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # 5 of the scenarios' streamed answers hold calls, and all of them show it
    call(["run", "-p", "acme", "--record", "-o", "recording"])
    expecting(project, known(rate=1.0))
    assert call(["run", "-p", "acme", "--mode", "stream", "-o", "out"]) == 0
    expecting(project, known(rate=0.1))
    capsys.readouterr()
    assert call(["run", "-p", "acme", "-o", "out"]) == 1
    assert "≠ stale expectation: acme: index-missing: found in " in capsys.readouterr().out
    document = json.loads(Path("out/quirks.json").read_text(encoding="utf-8"))
    (row,) = document["rows"]
    assert [one["standing"] for one in row["expectations"]] == ["exceeded"]
    (stale,) = document["stale"]
    assert stale["found"] == stale["applicable"] > 5


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"rate": 0}, "rate"),
        ({"rate": 1.5}, "rate"),
        ({"rate": "often"}, "rate"),
        ({"until": "soon"}, "until"),
        ({"until": "2026-02-30"}, "until"),
        ({"quirk": "*"}, "would expect every quirk there is"),
        ({"quirk": "index-mising"}, "did you mean 'index-missing'"),
        ({"models": "m9"}, "no model is called 'm9'"),
        ({"scenarios": ["singel_call"]}, "no scenario is called"),
    ],
)
def test_what_cannot_be_is_a_configuration_error(
    fields: dict[str, Any], said: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expecting(project, known(**fields))
    assert replay() == 4
    assert said in capsys.readouterr().err


def test_a_record_that_is_not_there(project: Path, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: ARG001
    assert call(["expect", "--from", "nowhere"]) == 4
    assert capsys.readouterr().err.startswith("nowhere: No such file")
