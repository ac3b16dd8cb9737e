"""What a server made of an unusual request: the right trait is blamed, and rather none than the wrong one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.model import Exchange
from conformance.quirks import judge
from conformance.quirks.asked import traits
from conformance.quirks.rejection import blamed
from conformance.scenarios import get
from conformance.wire.asked import asked
from conformance.wire.read import read
from conformance.wire.transcript import Transcript

USER = {"role": "user", "content": "Weather?"}
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": SCHEMA}}


def call(call_id: str = "call_1", arguments: Any = '{"city":"Oslo"}', **more: Any) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "get_weather", "arguments": arguments}, **more}


def turn(*calls: Any, content: Any = "Let me look.") -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def result(call_id: str = "call_1", content: Any = "mild") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def history(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [USER, *messages], "tools": [TOOL], **more}


def transcript(request: Mapping[str, Any], body: bytes, status: int = 400) -> Transcript:
    headers = {"content-type": "application/json"}
    return read(Exchange("test", body, status, headers, request, "complete"))


def error(message: str, param: str | None = None) -> bytes:
    return json.dumps({"error": {"message": message, "type": "invalid_request_error", "param": param}}).encode()


def levels(request: Mapping[str, Any], body: bytes, status: int = 400) -> dict[str, str]:
    found = judge(transcript(request, body, status)).findings
    return {f.quirk: f.level for f in found if f.layer != "client" and f.quirk != "request-rejected"}


TWO = history(turn(call(), content=None), result(content=""), parallel_tool_calls=False)


@pytest.mark.parametrize(
    ("words", "param", "quirk"),
    [
        ("messages[1].content must be a string", None, "content-null-rejected"),
        ("messages.2.content: must not be empty", None, "result-empty-rejected"),
        ("Invalid value.", "messages[2].content", "result-empty-rejected"),
        ("Unsupported parameter.", "parallel_tool_calls", "parallel-disabled-rejected"),
    ],
)
def test_of_several_traits_the_named_one_is_blamed(words: str, param: str | None, quirk: str) -> None:
    assert levels(TWO, error(words, param)) == {quirk: "should"}


@pytest.mark.parametrize(
    "words", ["content must be a string", "messages: content", "The request has 3 issues: arguments"]
)
def test_where_two_could_be_meant_none_is_blamed(words: str) -> None:
    assert levels(TWO, error(words)) == {}


def test_a_vague_error_about_several_traits_blames_none() -> None:
    assert levels(TWO, error("Bad Request")) == {"rejection-vague": "should"}


def test_a_vague_error_about_one_trait_says_so_in_a_low_voice() -> None:
    request = history(turn(call(), content=None), result())
    assert levels(request, error("Bad Request")) == {"rejection-vague": "should", "content-null-rejected": "info"}


@pytest.mark.parametrize(
    "more",
    [
        {"response_format": {"type": "json_object"}},
        {"audio": {"voice": "alloy"}},
        {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://x"}}]}]},
    ],
)
def test_a_vague_error_blames_nothing_where_something_else_is_special(more: dict[str, Any]) -> None:
    request = {**history(), "parallel_tool_calls": False, **more}
    assert "parallel-disabled-rejected" not in levels(request, error("Bad Request"))


def test_a_plain_request_is_not_blamed_for_a_vague_error() -> None:
    assert levels(history(turn(call()), result()), error("Bad Request")) == {}


@pytest.mark.parametrize(
    "words",
    [
        "API key not valid. Please pass a valid API key.",
        "The model `x` does not exist or you do not have access to it.",
        "This model's maximum context length is 4096 tokens. Please reduce the length of the messages or functions.",
        "`tool calling` is not supported with this model",
        "Tool call validation failed: parameters for tool get_weather did not match schema",
        "Invalid 'messages[0].content': string too long.",
        "response_format: invalid JSON schema",
    ],
)
def test_other_reasons_blame_no_trait(words: str) -> None:
    request = history(turn(call(), content=None), result(), x_own=1)
    assert levels(request, error(words)) == {}


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500, 502, 503])
def test_other_statuses_reject_no_trait(status: int) -> None:
    request = history(turn(call(), content=None), result())
    assert "content-null-rejected" not in levels(request, error("messages[1].content must be a string"), status)


@pytest.mark.parametrize(
    ("request_", "words", "quirk"),
    [
        (history(turn(call()), result()), "Tool call id was call_1 but must be a-z, A-Z, 0-9", "foreign-id-rejected"),
        (history(turn(call("call_madeup_1")), result("call_madeup_1")), "unknown tool_call_id", "foreign-id-rejected"),
        (history(turn(call()), result()), "unknown tool_call_id 'call_1'", "own-id-rejected"),
        (
            history(turn(call()), result()),
            "An assistant message with 'tool_calls' must be followed by tool messages",
            "own-id-rejected",
        ),
    ],
)
def test_whose_id_it_is(request_: dict[str, Any], words: str, quirk: str) -> None:
    assert levels(request_, error(words)).keys() == {quirk}


def test_an_own_id_is_not_rejected_where_the_history_is_broken() -> None:
    request = history(turn(call(), call("call_2")), result())
    assert levels(request, error("'tool_calls' must be followed by tool messages for each 'tool_call_id'")) == {}


@pytest.mark.parametrize(
    ("request_", "level"),
    [
        (history(turn(call(arguments="")), result()), "should"),
        (history(turn(call())), "should"),
        (history(turn(call()), result()), "must"),
        (history(), "must"),
    ],
)
def test_failing_counts_less_where_the_request_may_be_rejected(request_: dict[str, Any], level: str) -> None:
    assert levels(request_, b"Internal Server Error", 500) == {"server-error": level}


def test_forcing_a_function_that_is_not_offered() -> None:
    choice = {"type": "function", "function": {"name": "get_tide"}}
    message = {"role": "assistant", "content": None, "tool_calls": [call()]}
    body = {"object": "chat.completion", "id": "x", "created": 1, "model": "m"}
    other = json.dumps({**body, "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}).encode()
    words = {"role": "assistant", "content": "There is none."}
    text = json.dumps({**body, "choices": [{"index": 0, "message": words, "finish_reason": "stop"}]}).encode()
    request = history(tool_choice=choice)
    assert levels(request, other, 200)["choice-unknown-accepted"] == "should"
    assert levels(request, text, 200) == {"choice-unknown-accepted": "info"}
    assert levels(request, error("Tool choice 'get_tide' not found in 'tools'"), 400) == {}


@pytest.mark.parametrize(
    ("tools", "found"),
    [
        ({"tools": []}, {"choice-without-tools-accepted": "info"}),
        # a request of which only the choice is known says nothing about what was offered
        ({}, {"choice-without-tools-accepted": "info", "tool-choice-required-ignored": "must"}),
    ],
)
def test_a_call_can_be_required_of_what_is_offered(tools: dict[str, Any], found: dict[str, str]) -> None:
    words = {"role": "assistant", "content": "Hello."}
    body = {"object": "chat.completion", "id": "x", "created": 1, "model": "m"}
    text = json.dumps({**body, "choices": [{"index": 0, "message": words, "finish_reason": "stop"}]}).encode()
    request = {"model": "m", "messages": [USER], "tool_choice": "required", **tools}
    assert levels(request, text, 200) == found


def test_what_the_error_repeats_of_the_request_names_nothing() -> None:
    detail = [
        {"loc": ["body", "messages", 2, "content"], "msg": "too short", "input": {"tool_calls": "parallel_tool_calls"}}
    ]
    assert blamed(transcript(TWO, json.dumps({"detail": detail}).encode(), 422)) == "result-empty"


def test_what_stands_in_a_stream_that_was_asked_for_counts_as_well() -> None:
    request = {**dict(next(get("option_two_choices").conversation("m")).body), "stream": True}
    assert levels(request, error("n must be at most 1")) == {"n-rejected": "should"}


# --- nothing of it ever fails, whatever a capture holds ---------------------------------------------------------------
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NAMES = ["role", "content", "tool_calls", "tool_call_id", "id", "function", "name", "arguments", "parameters", "strict"]
ODD = st.recursive(
    JSON | st.sampled_from(["assistant", "tool", "user", ""]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=6),
    max_leaves=20,
)
BODIES = st.dictionaries(st.sampled_from(["messages", "tools", "tool_choice", "n", "parallel_tool_calls", "x"]), ODD)


@settings(deadline=None)
@given(BODIES)
def test_every_trait_has_a_place_in_the_request(body: dict[str, Any]) -> None:
    for pointer in traits(asked(body)).values():
        assert pointer.partition("/")[2].partition("/")[0] in {*body, "tools"}


@settings(deadline=None)
@given(BODIES, JSON | st.text(max_size=60), st.sampled_from([200, 400, 422, 500]))
def test_what_is_blamed_is_there(body: dict[str, Any], said: Any, status: int) -> None:
    exchange = transcript(body, json.dumps(said).encode(), status)
    assert blamed(exchange) in {None, "foreign-id", *traits(exchange.asked)}
    judge(exchange)


@settings(deadline=None)
@given(st.binary(max_size=200), st.sampled_from([400, 422, 500]))
def test_any_bytes_may_come(body: bytes, status: int) -> None:
    judge(transcript(TWO, body, status))


def test_arguments_as_an_object_as_vllm_rejects_them() -> None:
    # vLLM 0.32.0: the path stops at the type that holds the arguments
    place = "body.0.ChatCompletionMessageFunctionToolCallParam.function"
    words = (
        f"1 validation error:\n  {{'type': 'string_type', 'loc': '{place}', 'msg': 'Input should be a valid string'}}"
    )
    request = history(turn(call(arguments={"city": "Oslo"})), result())
    assert blamed(transcript(request, error(words, place))) == "arguments-object"
