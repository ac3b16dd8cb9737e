"""The published figures: every planted fault is named, no legal variation raises an alarm."""

from __future__ import annotations

import json
import re
from pathlib import Path

import httpx2
import pytest

from conformance import Accumulator
from conformance.cli import call
from conformance.faults import FAULTS, find
from conformance.faults.honest import answer
from conformance.faults.respond import respond
from conformance.faults.server import FaultServer
from conformance.quirks import catalogue
from conformance.run.selftest import request_for, selftest
from conformance.wire.facts import Marks
from conformance.wire.sse import events

README = " ".join((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split())
TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}
IN_CHUNKS = [
    name
    for name, fault in FAULTS.items()
    if fault.left == "all"
    and fault.stream is not None
    and fault.wire is None
    and fault.mode is None
    and fault.ask in ("one", "two", "required", "named", "serial")
]


def test_every_fault_is_named_and_nothing_legal_is() -> None:
    figures = selftest()
    assert [(o.fault.name, o.mode, o.why) for o in figures.outcomes if o.why] == []
    assert (figures.detected, figures.alarms) == (figures.faults, 0)
    assert figures.faults >= 75
    assert figures.legal >= 25
    assert f"{figures.detected} of {figures.faults}" in README
    assert f"{figures.alarms} false alarms on {figures.legal}" in README


def test_every_name_a_fault_is_known_by_is_a_quirk() -> None:
    slugs = {q.slug for q in catalogue()}
    assert {name for fault in FAULTS.values() for name in fault.shows} <= slugs


def test_every_quirk_that_shows_on_a_response_has_a_fault() -> None:
    shown = {name for fault in FAULTS.values() for name in fault.shows}
    deviations = {q.slug for q in catalogue() if q.level != "info" and q.area != "history"}
    assert deviations - shown == set()


def test_faults_know_nothing_of_the_quirks() -> None:
    folder = Path(__file__).parents[2] / "conformance" / "faults"
    for file in folder.glob("*.py"):
        assert not re.search(r"^\s*(from|import) conformance\.(quirks|wire)", file.read_text("utf-8"), re.MULTILINE), (
            file
        )


@pytest.mark.parametrize("name", IN_CHUNKS)
def test_the_accumulator_ends_with_the_honest_calls(name: str) -> None:
    fault = FAULTS[name]
    request = request_for(fault, "stream")
    with FaultServer() as server, httpx2.Client(trust_env=False) as client:
        body = client.post(f"{server.url_of(fault)}/chat/completions", json=request).content
    turn = Accumulator(request)
    for _, data, _, _ in events(body, Marks()):
        turn.feed("[DONE]" if data == b"[DONE]" else json.loads(data))
    got = [(c.name, json.loads(c.arguments)) for c in turn.finish(max(turn.choices, default=0)).calls]
    want = [(c.name, json.loads(c.arguments)) for c in answer(request).calls]
    assert got == want


def test_an_honest_server_answers_honestly() -> None:
    request = request_for(find("clean-two"), "complete")
    with FaultServer() as server, httpx2.Client(trust_env=False) as client:
        said = client.post(f"{server.url}/chat/completions", json=request).json()
        missing = client.post(f"{server.url.replace('/v1', '/nothing/v1')}/chat/completions", json=request)
        broken = client.post(f"{server.url}/chat/completions", content=b"{")
        models = client.get(f"{server.url}/models").json()
    calls = said["choices"][0]["message"]["tool_calls"]
    assert [json.loads(c["function"]["arguments"]) for c in calls] == [{"city": "Paris"}, {"city": "Tokyo"}]
    assert len({c["id"] for c in calls}) == 2
    assert said["choices"][0]["finish_reason"] == "tool_calls"
    assert missing.status_code == 404
    assert broken.status_code == 400
    assert models["data"][0]["id"] == "made-up-1"


def test_the_plugin_offers_the_server(fault_server: FaultServer) -> None:
    request = request_for(find("id-empty"), "complete")
    with httpx2.Client(trust_env=False) as client:
        said = client.post(f"{fault_server.url_of(find('id-empty'))}/chat/completions", json=request).json()
    assert said["choices"][0]["message"]["tool_calls"][0]["id"] == ""


def test_an_unknown_fault_is_refused_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["selftest", "index-mising"]) == 4
    assert "did you mean index-missing" in capsys.readouterr().err
    assert call(["serve", "--fault", "nonsense"]) == 4


def test_the_corpus_holds_every_answer_with_what_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["corpus", "export", str(tmp_path / "corpus")]) == 0
    expected = sorted((tmp_path / "corpus").glob("*.expected.json"))
    assert len(expected) == sum(len(f.modes) for f in FAULTS.values())
    for file in expected:
        case = json.loads(file.read_text("utf-8"))
        assert case["made_up"] is True
        assert case["left"] in ("all", "unusable", "none")
        assert any(file.with_name(file.name.replace("expected.json", end)).exists() for end in ("sse", "json"))
    capsys.readouterr()
    assert call(["corpus", "export", "/proc/nowhere"]) == 4
    assert "cannot be written" in capsys.readouterr().err


def test_a_taken_port_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with FaultServer() as server:
        assert call(["serve", "--port", str(server.port)]) == 4
    assert "choose another with --port" in capsys.readouterr().err


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("messages", [[{"role": "user", "content": "get_weather of Paris?"}], []])
@pytest.mark.parametrize("more", [{}, {"tools": [TOOL]}, {"tools": [TOOL, TOOL], "n": 2}, {"tool_choice": "none"}])
def test_every_fault_answers_whatever_is_asked(messages: list[object], more: dict[str, object], stream: bool) -> None:
    # a client asks on: with results, without tools; what a fault cannot change then stays honest, and none breaks off
    request = {"model": "m", "messages": messages, **more, "stream": stream}
    assert [fault.name for fault in FAULTS.values() if not respond(request, fault).status] == []


def test_a_fault_of_calls_leaves_a_text_alone() -> None:
    request = {"model": "m", "messages": [{"role": "user", "content": "Hello."}], "stream": False}
    assert respond(request, find("markup-in-content")) == respond(request)
