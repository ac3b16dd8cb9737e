"""Logs: what a line must hold, what is passed over, and whose name a provider gets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conformance.importers.load import from_bytes
from conformance.model import Exchange
from conformance.quirks import judge
from conformance.wire.read import read
from tests.importers.examples import ANSWER, CHUNKS, LINES, REQUEST, STREAM, outcome

CALL = {"id": "call_a1", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}
HISTORY = {
    "model": "m",
    "messages": [
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "user", "content": "Well?"},
    ],
}


def lines(*documents: Any) -> bytes:
    """JSON Lines."""
    return b"".join(json.dumps(d).encode() + b"\n" for d in documents)


def found_in(exchange: Exchange) -> set[str]:
    """What is found at `must` or `should`."""
    return {f.quirk for f in judge(read(exchange)).findings if f.level != "info"}


@pytest.mark.parametrize(
    "entry",
    [
        {"request": REQUEST, "chunks": CHUNKS},
        {"request": REQUEST, "response": CHUNKS},
        {"request": json.dumps(REQUEST), "response": STREAM.decode()},
        {"request": REQUEST, "chunks": [json.dumps(c) for c in CHUNKS]},
        {"request": REQUEST, "chunks": [STREAM.decode()[:50], STREAM.decode()[50:]]},
        {"request": {"url": "https://h/v1/chat/completions", "body": REQUEST}, "response": {"body": STREAM.decode()}},
        {"request": REQUEST, "response": {"status": 200, "headers": {"X": "y"}, "body": CHUNKS}},
        {"request": {**REQUEST, "stream": False}, "response": ANSWER},
        {"request": REQUEST, "response": ANSWER},
    ],
)
def test_ways_to_log_an_answer(entry: dict[str, Any]) -> None:
    for data in (json.dumps(entry).encode(), json.dumps([entry]).encode(), lines(entry, entry)):
        found, problem = outcome(data)
        assert problem == ""
        for position, exchange in enumerate(found):
            assert exchange.source == f"file#{position}"
            transcript = read(exchange)
            (call,) = transcript.calls
            assert (call.id, call.name, call.value) == ("call_a1", "get_weather", {"city": "Paris"})
            assert exchange.request is not None
            assert exchange.request["tools"] == REQUEST["tools"]
            assert found_in(exchange) == set()


def test_a_whole_answer_to_a_streamed_request_may_have_been_assembled() -> None:
    (exchange,) = from_bytes(json.dumps({"request": REQUEST, "response": ANSWER}).encode(), "file")
    assert (exchange.asked_mode, exchange.fidelity.wire) == ("stream", False)
    (exchange,) = from_bytes(json.dumps({"request": REQUEST, "response": json.dumps(ANSWER)}).encode(), "file")
    assert found_in(exchange) == {"json-body-on-stream-request"}  # here it is the body as it came


def test_entries_about_something_else_are_passed_over() -> None:
    other = {"request": {"url": "https://h/v1/models"}, "response": {"body": "{}"}}
    found, problem = outcome(lines({"request": REQUEST, "response": STREAM.decode()}, other))
    assert ([e.source for e in found], problem) == (["file#0"], "")
    found, problem = outcome(lines(other, other))
    assert found == []
    assert problem == "file: a log, but no entry of it is about a chat completion; give one that is"


@pytest.mark.parametrize(
    ("answer", "words"), [("It is sunny.", "is no answer"), ([], "no chunk"), (None, "is no answer")]
)
def test_an_entry_without_an_answer_is_a_sentence(answer: Any, words: str) -> None:
    good = {"request": REQUEST, "response": STREAM.decode()}
    found, problem = outcome(lines(good, {"request": REQUEST, "response": answer}, good))
    assert [e.source for e in found] == ["file#0", "file#2"]
    assert problem.startswith("file#1: ")
    assert words in problem


def test_lines_are_counted_as_they_stand() -> None:
    good = lines({"request": REQUEST, "response": STREAM.decode()})
    found, problem = outcome(good + b"\n" + b"not json\n" + good)
    assert [e.source for e in found] == ["file#0", "file#3"]
    assert problem.startswith("file#2: not JSON")


def litellm(**fields: Any) -> dict[str, Any]:
    """A log entry of LiteLLM's."""
    return {
        "call_type": "acompletion",
        "status": "success",
        "stream": None,
        "custom_llm_provider": "openai",
        "api_base": "https://api.openai.com",
        "model": "m",
        "messages": REQUEST["messages"],
        "model_parameters": {"tools": REQUEST["tools"]},
        "response": ANSWER,
        "startTime": 1.0,
    } | fields


@pytest.mark.parametrize(
    ("claimed", "address", "provider"),
    [
        ("openai", "https://api.openai.com", "openai"),
        ("openai", "http://localhost:8000/v1", ""),
        ("openai", "", ""),
        ("groq", "", "groq"),
        (None, "", ""),
    ],
)
def test_a_client_of_any_address_is_no_provider(claimed: str | None, address: str, provider: str) -> None:
    entry = litellm(custom_llm_provider=claimed, api_base=address)
    (exchange,) = from_bytes(json.dumps(entry).encode(), "file")
    assert exchange.provider == provider


def test_litellm_entries_of_other_calls_are_passed_over() -> None:
    found, problem = outcome(lines(litellm(), litellm(call_type="aembedding", response={"data": []}), litellm()))
    assert ([e.source for e in found], problem) == (["file#0", "file#2"], "")


def test_a_failed_litellm_request_shows_its_history() -> None:
    entry = litellm(
        status="failure", response={}, error_information={"error_code": "500"}, messages=HISTORY["messages"]
    )
    (exchange,) = from_bytes(json.dumps(entry).encode(), "file")
    assert (exchange.status, exchange.body) == (500, b"")
    assert found_in(exchange) == {"result-missing"}


def span(attributes: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A span as a console exporter prints it."""
    return {
        "name": "chat m",
        "context": {"trace_id": "0x1", "span_id": f"0x{id(attributes):x}"},
        "attributes": attributes,
    } | more


def answered(arguments: Any) -> dict[str, Any]:
    """GenAI attributes of one call."""
    call = {"type": "tool_call", "id": "call_a1", "name": "get_weather", "arguments": arguments}
    message = {"role": "assistant", "parts": [call], "finish_reason": "tool_call"}
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m",
        "gen_ai.output.messages": json.dumps([message]),
    }


@pytest.mark.parametrize("arguments", [{"city": "Paris"}, '{"city": "Paris"}'])
def test_arguments_of_telemetry_are_text_or_decoded(arguments: Any) -> None:
    (exchange,) = from_bytes(json.dumps(span(answered(arguments))).encode(), "file")
    (call,) = read(exchange).calls
    assert (call.id, call.value) == ("call_a1", {"city": "Paris"})
    assert read(exchange).choices[0].finish_reason == "tool_calls"


def test_spans_of_other_operations_are_numbered_and_passed_over() -> None:
    other = span({"gen_ai.operation.name": "execute_tool", "gen_ai.completion.0.content": "x"})
    found, problem = outcome(lines(other, span({"http.method": "GET"}), span(answered({}))))
    assert ([e.source for e in found], problem) == (["file#2"], "")


def test_telemetry_without_content_says_how_to_get_it() -> None:
    _, problem = outcome(json.dumps(span({"gen_ai.request.model": "m"})).encode())
    assert problem.startswith("file: GenAI spans without answers; record with the content captured")
    _, problem = outcome(json.dumps({"resourceSpans": []}).encode())
    assert problem == "file: telemetry, but no span of it is about GenAI; give the spans of chat completions"


def test_chunks_whose_id_changes_under_way_stay_one_stream() -> None:
    changing = [{**chunk, "id": f"chatcmpl-{n}"} for n, chunk in enumerate(CHUNKS)]
    (exchange,) = from_bytes(lines(*changing), "file")
    assert "chunk-id-changing" in {f.quirk for f in judge(read(exchange)).findings}


def test_interleaved_streams_are_told_apart_by_their_ids() -> None:
    other = [{**chunk, "id": "chatcmpl-2"} for chunk in CHUNKS]
    mixed = [chunk for pair in zip(CHUNKS, other, strict=True) for chunk in pair]
    first, second = from_bytes(lines(*mixed), "file")
    assert first.body == b"".join(b"data: " + line + b"\n\n" for line in LINES.splitlines())
    assert [len(read(e).calls) for e in (first, second)] == [1, 1]


def test_a_stream_that_was_cut_is_not_told_apart() -> None:
    cut = [{**chunk, "id": "chatcmpl-2"} for chunk in CHUNKS[:-1]]
    assert len(list(from_bytes(lines(*CHUNKS, *cut), "file"))) == 1


def test_a_damaged_line_of_a_dump_stays() -> None:
    part = {"content": None, "function_call": None, "refusal": None, "role": None, "tool_calls": None}
    dumps = [{**c, "choices": [{**c["choices"][0], "delta": {**part, **c["choices"][0]["delta"]}}]} for c in CHUNKS]
    text = lines(*dumps)
    (exchange,) = from_bytes(text + b'{"cut', "file")
    assert exchange.body.endswith(b'data: {"cut\n\n')
    assert not exchange.fidelity.presence
    assert b"refusal" not in exchange.body
