"""What goes back into the history: the server's own ids and arguments, byte for byte."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from conformance.model import Exchange
from conformance.scenarios import get
from conformance.wire.read import read
from conformance.wire.transcript import Transcript


def answer(request: Mapping[str, Any], message: Mapping[str, Any], finish: str = "tool_calls") -> Transcript:
    """The transcript of a complete answer with this message."""
    body = {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    return read(Exchange("test", json.dumps(body).encode(), request=request, asked_mode="complete"))


def call(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def follow(scenario: str, message: Mapping[str, Any], finish: str = "tool_calls") -> Mapping[str, Any] | None:
    """The second request after the first was answered with this message; None if there is none."""
    conversation = get(scenario).conversation("m")
    first = next(conversation).body
    try:
        return conversation.send(answer(first, message, finish)).body
    except StopIteration:
        return None


# key order, spaces and escapes that any re-serialisation would change
ODD = '{ "city" :"Par\\u0069s"}'


@pytest.mark.parametrize("call_id", ["call_1", "", " x ", "id/with:odd*chars"])
def test_id_and_arguments_go_back_as_they_came(call_id: str) -> None:
    message = {"role": "assistant", "content": None, "tool_calls": [call(call_id, "get_weather", ODD)]}
    second = follow("round_trip", message)
    assert second is not None
    _, assistant, result = second["messages"]
    assert assistant == message
    assert result == {"role": "tool", "tool_call_id": call_id, "content": "18 degrees, light rain"}
    assert "tool_choice" not in second, "the model is free to answer"


def test_content_and_unknown_fields_go_back() -> None:
    entry = {**call("call_1", "get_weather", "{}"), "extra_content": {"signature": "abc"}}
    second = follow("round_trip", {"role": "assistant", "content": "Let me see.", "tool_calls": [entry]})
    assert second is not None
    assert second["messages"][1]["content"] == "Let me see."
    assert second["messages"][1]["tool_calls"][0]["extra_content"] == {"signature": "abc"}


def test_two_results_go_back_in_the_other_order() -> None:
    calls = [call("a", "get_weather", '{"city":"Paris"}'), call("b", "get_time", '{"city":"Tokyo"}')]
    second = follow("parallel_round_trip", {"role": "assistant", "content": None, "tool_calls": calls})
    assert second is not None
    assert [entry["id"] for entry in second["messages"][1]["tool_calls"]] == ["a", "b"]
    assert [(m["tool_call_id"], m["content"]) for m in second["messages"][2:]] == [
        ("b", "21:40"),
        ("a", "18 degrees, light rain"),
    ]


@pytest.mark.parametrize(
    ("scenario", "message", "finish"),
    [
        ("round_trip", {"role": "assistant", "content": "It rains."}, "stop"),
        (
            "round_trip",
            {"role": "assistant", "content": None, "tool_calls": [call("a", "get_weather", '{"ci')]},
            "length",
        ),
        (
            "parallel_round_trip",
            {"role": "assistant", "content": None, "tool_calls": [call("a", "get_weather", "{}")]},
            "stop",
        ),
    ],
    ids=["no-call", "half-a-call", "one-call-of-two"],
)
def test_the_conversation_ends_where_there_is_nothing_to_answer(
    scenario: str, message: Mapping[str, Any], finish: str
) -> None:
    assert follow(scenario, message, finish) is None
