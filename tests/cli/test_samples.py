"""Repeated exchanges: how often, when it is enough, where they are kept, and what the matrix makes of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.cli import call
from conformance.run.record import load_record
from tests.fake_provider import FakeProvider

FILE = """\
providers:
  acme:
    base_url: ${ACME_URL:-http://127.0.0.1:9/v1}
    models: [m1]
"""
ONE = ("-p", "acme", "-s", "single_call", "--mode", "stream")

pytestmark = pytest.mark.usefixtures("project")


class Fickle(FakeProvider):
    """Leaves the index away in the answers whose numbers are given."""

    def __init__(self, *bad: int) -> None:
        super().__init__()
        self.bad = bad

    def __getattribute__(self, name: str) -> Any:
        if name == "vice":
            bad = super().__getattribute__("bad")
            return "no-index" if len(super().__getattribute__("requests")) - 1 in bad else "clean"
        return super().__getattribute__(name)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "providers.yaml").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def honest(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    with FakeProvider() as server:
        monkeypatch.setenv("ACME_URL", server.url)
        yield server


def cell(folder: str, quirk: str = "index-missing") -> dict[str, Any]:
    """A cell of the only row."""
    document = json.loads(Path(folder, "quirks.json").read_text(encoding="utf-8"))
    (found,) = [one for one in document["rows"][0]["cells"] if one["quirk"] == quirk]
    return dict(found)


def test_repeating_ends_when_it_is_settled(honest: FakeProvider) -> None:
    assert call(["run", "--live", *ONE, "--samples", "9", "-o", "out"]) == 0
    assert len(honest.requests) == 4, "four that agree settle it"
    rows = load_record(Path("out/run.jsonl")).exchanges
    assert [row["sample"] for row in rows] == [0, 1, 2, 3]


def test_not_before(honest: FakeProvider) -> None:
    assert call(["run", "--live", *ONE, "--samples", "3", "-o", "out"]) == 0
    assert len(honest.requests) == 3


def test_a_flaky_cell_is_shown_as_such(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with Fickle(1, 3) as server:
        monkeypatch.setenv("ACME_URL", server.url)
        assert call(["run", "--live", *ONE, "--samples", "5", "-o", "out"]) == 1
        assert len(server.requests) == 5, "two of five settle nothing"
    found = cell("out")
    assert (found["occurrences"], found["applicable"], found["flaky"]) == (2, 5, True)
    # Wilson, 2 of 5
    assert found["interval"] == pytest.approx([0.1176, 0.7693], abs=1e-4)
    assert "2/5 (12–77 %, flaky)" in Path("out/quirks.md").read_text(encoding="utf-8")
    assert "2/5 (12–77 %, flaky)" in Path("out/quirks.html").read_text(encoding="utf-8")
    assert "2/5 (12–77 %, flaky)" in capsys.readouterr().out
    footer = load_record(Path("out/run.jsonl")).footer
    assert footer is not None
    (rate,) = [one for one in footer["rates"] if one["quirk"] == "index-missing"]
    assert (rate["occurrences"], rate["applicable"], rate["flaky"]) == (2, 5, True)
    assert (rate["low"], rate["high"]) == pytest.approx((0.1176, 0.7693), abs=1e-4)


def test_a_constant_fault_is_no_flake(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeProvider("no-index") as server:
        monkeypatch.setenv("ACME_URL", server.url)
        call(["run", "--live", *ONE, "--samples", "9", "-o", "out"])
        assert len(server.requests) == 4
    found = cell("out")
    assert (found["occurrences"], found["flaky"]) == (4, False)
    assert found["interval"][1] == 1


def test_without_repetitions_there_is_no_interval(honest: FakeProvider) -> None:  # noqa: ARG001
    call(["run", "--live", *ONE, "-o", "out"])
    assert (cell("out")["interval"], cell("out")["flaky"]) == (None, False)
    footer = load_record(Path("out/run.jsonl")).footer
    assert footer is not None
    assert "rates" not in footer


def test_every_repetition_has_a_cassette_and_is_replayed(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Fickle(1, 3) as server:
        monkeypatch.setenv("ACME_URL", server.url)
        call(["run", "--record", *ONE, "--samples", "5", "-o", "out"])
    monkeypatch.setenv("ACME_URL", "http://127.0.0.1:9/v1")
    folder = project / "cassettes" / "acme"
    assert sorted(path.name for path in folder.iterdir()) == [
        "single_call.stream.1.yaml",
        "single_call.stream.2.yaml",
        "single_call.stream.3.yaml",
        "single_call.stream.4.yaml",
        "single_call.stream.yaml",
    ]
    assert call(["run", *ONE, "-o", "replay"]) == 1
    assert cell("replay")["occurrences"] == 2
    rows = load_record(Path("replay/run.jsonl")).exchanges
    assert [row["evidence"]["cassette"] for row in rows if row["evidence"]][1].endswith("single_call.stream.1.yaml")
    capsys.readouterr()
    assert call(["run", *ONE, "--samples", "2"]) == 4
    assert "a replay plays what is recorded" in capsys.readouterr().err


def test_recording_anew_leaves_no_older_repetition(
    project: Path, honest: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project / "cassettes" / "acme"
    with Fickle(1, 3) as server:
        monkeypatch.setenv("ACME_URL", server.url)
        call(["run", "--record", *ONE, "--samples", "5", "-o", "out"])
    monkeypatch.setenv("ACME_URL", honest.url)
    assert call(["run", "--record", *ONE, "--samples", "5", "-o", "out"]) == 0
    assert len(list(folder.iterdir())) == 4, "settled after four, and the fifth was of another time"
    assert call(["run", "--record", *ONE, "-o", "out"]) == 0
    assert [path.name for path in folder.iterdir()] == ["single_call.stream.yaml"]
    assert call(["run", *ONE, "-o", "out"]) == 0


def test_what_was_not_run_settles_nothing() -> None:
    from conformance.run.samples import Samples
    from tests.run.examples import cell as example
    from tests.run.examples import not_run, row

    samples = Samples()
    for number in range(3):
        samples.add([row(sample=number)])
    samples.add([not_run(sample=3)])
    assert samples.settled(example()) == 0
    samples.add([row(sample=4)])
    assert samples.settled(example()) == 4
