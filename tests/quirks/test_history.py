"""The round-trip contract of reference document 000 §3, §7 and §8, held against what a request sends back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.importers import load
from conformance.quirks import judge
from conformance.wire.read import read


def call(call_id: str = "call_1", arguments: Any = "{}", **more: Any) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "f", "arguments": arguments}, **more}


def turn(*calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def result(call_id: str = "call_1", content: Any = "ok") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


USER = {"role": "user", "content": "-"}


def found(tmp_path: Path, *messages: dict[str, Any]) -> set[tuple[str, str, str]]:
    file = tmp_path / "request.json"
    file.write_text(json.dumps({"model": "m", "messages": [USER, *messages]}))
    (exchange,) = load(file)
    return {(f.quirk, f.level, f.layer) for f in judge(read(exchange)).findings}


@pytest.mark.parametrize(
    ("messages", "quirks"),
    [
        ((turn(call()), result()), set()),
        ((turn(call()), result(), USER), set()),
        ((turn(call("a"), call("b")), result("b"), result("a")), set()),
        ((turn(call("")), result("")), set()),
        ((turn(call()), result(), turn(call("call_2")), result("call_2")), set()),
        ((turn(call()), result("call_9")), {"result-orphan", "result-missing"}),
        ((result(), turn(call())), {"result-orphan", "result-missing"}),
        ((turn(call()), USER, result()), {"result-orphan", "result-missing"}),
        ((turn(call("a"), call("b")), result("a")), {"result-missing"}),
        ((turn(call()), result(), result()), {"result-repeated"}),
        ((turn(call(arguments="{")), result()), {"arguments-broken"}),
        ((turn(call(arguments="")), result()), {"arguments-broken"}),
        ((turn(call(arguments={})), result()), {"arguments-broken"}),
        ((turn(call(arguments="[1]")), result()), {"arguments-broken"}),
        ((turn(call(index=0)), result()), {"index-echoed"}),
        ((turn(call("turn-1/call_1")), result("turn-1/call_1")), {"id-composite"}),
        ((turn(call()), result(content=None)), {"result-without-content"}),
        ((turn(call()), result(content="")), set()),
    ],
)
def test_histories(tmp_path: Path, messages: tuple[dict[str, Any], ...], quirks: set[str]) -> None:
    shown = found(tmp_path, *messages)
    assert {quirk for quirk, _, _ in shown} == quirks
    assert {layer for _, _, layer in shown} <= {"client"}


def test_a_made_up_id_is_seen_beside_others_only(tmp_path: Path) -> None:
    made = "0b9f6b0e-6a4c-4f57-9d53-0f1f5a3b7c11"
    alone = found(tmp_path, turn(call(made)), result(made))
    beside = found(tmp_path, turn(call(made), call("call_2")), result(made), result("call_2"))
    assert alone == set()
    assert beside == {("id-replaced", "should", "client")}


def test_what_a_provider_tolerated_counts_less(tmp_path: Path) -> None:
    capture = {
        "status": 200,
        "stream": False,
        "request": {"messages": [USER, turn(call()), result("call_9")]},
        "response_headers": {"content-type": "application/json"},
        "response_body": json.dumps(
            {
                "id": "x",
                "object": "chat.completion",
                "created": 1,
                "model": "m",
                "choices": [{"index": 0, "message": {"role": "assistant", "content": "ok"}, "finish_reason": "stop"}],
            }
        ),
    }
    file = tmp_path / "capture.json"
    file.write_text(json.dumps(capture))
    (exchange,) = load(file)
    levels = {f.quirk: f.level for f in judge(read(exchange)).findings if f.layer == "client"}
    assert levels == {"result-orphan": "should", "result-missing": "should"}


CASES = Path(__file__).parents[3] / "shared" / "bug-cases"
BROKEN = {"history-arguments-invalid-json": "arguments-broken", "history-orphan-tool-result": "result-orphan"}


@pytest.mark.skipif(not CASES.is_dir(), reason="the collection of bug cases is not beside this checkout")
@pytest.mark.parametrize("file", sorted(CASES.glob("*.request.json")), ids=lambda p: p.name.partition(".")[0])
def test_requests_of_public_reports(file: Path, tmp_path: Path) -> None:
    request = json.loads(file.read_text("utf-8"))["request"]
    alone = tmp_path / "request.json"
    alone.write_text(json.dumps(request))
    (exchange,) = load(alone)
    must = {f.quirk for f in judge(read(exchange)).findings if f.level == "must"}
    expected = BROKEN.get(file.name.partition(".")[0])
    assert must >= ({expected} if expected else set())
    assert must <= {expected, "result-missing"}
