"""A stream meets the complete answer to the same request, however a run is cut up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.cli import call
from conformance.faults import find
from conformance.faults.server import FaultServer
from conformance.run.record import load_record
from conformance.run.rows import ExchangeRow
from conformance.run.twins import Twins
from conformance.wire.shape import Shape
from tests.run.examples import cell, row

FILE = """\
providers:
  acme:
    base_url: ${ACME_URL:-http://127.0.0.1:9/v1}
    models: [made-up-1]
"""
SOME = ("-s", "single_call,two_tools,round_trip")
SHAPE: Any = {"mode": "complete", "usage": True, "choices": []}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultServer]:
    """A server that says the type in complete answers only."""
    (tmp_path / "providers.yaml").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    with FaultServer(find("stream-type-absent")) as server:
        monkeypatch.setenv("ACME_URL", server.url)
        yield server


def measured(folder: str) -> dict[tuple[str, str, int], bool | None]:
    """By exchange: whether `parity-type` was found, None where it was not applicable."""
    found: dict[tuple[str, str, int], bool | None] = {}
    for one in load_record(Path(folder, "run.jsonl"), incomplete=True).exchanges:
        shown = any(finding["quirk"] == "parity-type" for finding in one["findings"])
        found[one["scenario"], one["mode"], one["step"]] = shown if "parity-type" in one["applicable"] else None
    return found


@pytest.mark.usefixtures("server")
def test_streams_are_held_against_complete_answers() -> None:
    assert call(["run", "--live", "-p", "acme", *SOME, "-o", "out"]) == 0
    found = measured("out")
    # the second answer of a round trip is a text
    assert {key for key, shown in found.items() if shown} == {
        (name, "stream", 0) for name in ("single_call", "two_tools", "round_trip")
    }
    assert {key for key, shown in found.items() if shown is None} == {
        *((name, "complete", 0) for name in ("single_call", "two_tools", "round_trip")),
        ("round_trip", "complete", 1),
        ("round_trip", "stream", 1),
    }


@pytest.mark.usefixtures("server")
def test_the_record_holds_the_shape_of_every_whole_answer() -> None:
    call(["run", "--live", "-p", "acme", *SOME, "-o", "out"])
    for one in load_record(Path("out/run.jsonl")).exchanges:
        shape = Shape.of(one["shape"])
        assert shape.mode == one["mode"]
        assert [made.name for made in shape.choices[0].calls] == [made["name"] for made in one["calls"]]


@pytest.mark.usefixtures("server")
def test_shards_hold_both_modes() -> None:
    call(["run", "--live", "-p", "acme", *SOME, "-o", "whole"])
    for index in (1, 2):
        call(["run", "--live", "-p", "acme", *SOME, "--shard", f"{index}/2", "-o", f"part{index}"])
    call(["merge", "part1", "part2", "-o", "joined"])
    assert measured("joined") == measured("whole")


@pytest.mark.usefixtures("server")
def test_a_resumed_run_has_the_twins_of_the_first_one() -> None:
    call(["run", "--live", "-p", "acme", *SOME, "-o", "whole"])
    call(["run", "--live", "-p", "acme", *SOME, "-o", "out"])
    lines = Path("out/run.jsonl").read_text().splitlines()
    kept = [line for line in lines[:-1] if json.loads(line).get("mode") != "stream"]
    Path("out/run.jsonl").write_text("\n".join(kept) + "\n")
    assert call(["run", "--live", "-p", "acme", *SOME, "--resume", "-o", "out"]) == 0
    assert measured("out") == measured("whole")


@pytest.mark.usefixtures("server")
def test_one_mode_alone_shows_nothing_of_the_other() -> None:
    call(["run", "--live", "-p", "acme", *SOME, "--mode", "stream", "-o", "out"])
    assert set(measured("out").values()) == {None}


def shaped(**fields: Any) -> ExchangeRow:
    return row(mode="complete", **{"shape": SHAPE, **fields})


def test_twins_are_of_the_same_request() -> None:
    twins = Twins()
    twins.add([shaped(), shaped(sample=1, step=1), row(mode="stream", shape={**SHAPE, "mode": "stream"})])
    stream = cell("single_call", "stream")
    assert twins.of(stream, 0) == Shape.of(SHAPE)
    assert twins.of(stream, 1) is None
    assert twins.of(cell("two_tools", "stream"), 0) is None
    assert twins.of(cell("single_call", "complete"), 0) is None


def test_a_repetition_without_a_twin_of_its_own_takes_the_first() -> None:
    twins = Twins()
    twins.add([shaped(), shaped(sample=1, shape={**SHAPE, "usage": False})])
    found = []
    for sample in range(3):
        one = cell("single_call", "stream")
        found.append(twins.of(type(one)(one.provider, one.model, one.scenario, one.mode, sample), 0))
    assert [shape.usage for shape in found if shape] == [True, False, True]


def test_an_answer_in_the_other_mode_is_no_twin() -> None:
    twins = Twins()
    twins.add([shaped(shape={**SHAPE, "mode": "stream"}), row(mode="complete")])
    assert twins.of(cell("single_call", "stream"), 0) is None
