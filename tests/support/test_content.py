"""Without what people and models wrote, an exchange gives the same verdict."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.model import Exchange
from conformance.quirks import get
from conformance.support import redact
from conformance.support.placeholders import PROTOCOL, Placeholders
from conformance.wire.read import read
from tests.support.exchanges import TOOL, corpus, entry, opening, served, streamed, verdict

READ_THE_ANSWER = {"link"}
"""Areas whose findings hang on what the answer says of the question: without its words they cannot be kept."""
MADE_UP = re.compile(rb"Paris|Tokyo|Rome|mild", re.IGNORECASE)


@pytest.mark.parametrize("exchange", list(corpus()), ids=lambda exchange: exchange.source)
def test_the_verdict_is_kept_and_the_text_is_gone(exchange: Exchange) -> None:
    redacted = redact(exchange, content=True)
    if lost := verdict(exchange) - verdict(redacted.exchange):
        assert {get(str(slug)).area for slug, *_ in lost} <= READ_THE_ANSWER
        assert redacted.changed.startswith("Redaction changes the verdict: the exchange no longer shows ")
    else:
        assert redacted.changed == ""
    assert not verdict(redacted.exchange) - verdict(exchange)
    before, after = read(exchange), redacted.transcript
    assert len(after.body) == len(before.body)
    assert after.event_offsets == before.event_offsets
    assert [(c.id, c.usable, c.repair) for c in after.calls] == [(c.id, c.usable, c.repair) for c in before.calls]
    assert not MADE_UP.search(after.body)
    assert not MADE_UP.search(json.dumps(redacted.exchange.request).encode())


@pytest.mark.parametrize("exchange", list(served()), ids=lambda exchange: exchange.source)
def test_twice_is_once(exchange: Exchange) -> None:
    once = redact(exchange, content=True).exchange
    if "compressed" not in exchange.source:
        assert redact(once, content=True).exchange == once


def test_what_is_left_of_a_text() -> None:
    redacted = redact(streamed([{"content": "Anna, 7 May: "}, {"content": "北京 is “mild” 😀"}]), content=True)
    assert redacted.transcript.choices[0].content == "Xxxx, 1 Xxx: ẋẋ xx “xxxx” 𝐱"


def test_what_is_left_of_arguments() -> None:
    text = '{"city": "Paris", "note": "caf\\u00e9 \\ud83d\\ude00\\n7", "days": 7, "sure": true}'
    redacted = redact(streamed([opening(0), *(entry(0, piece) for piece in text)]), content=True)
    (call,) = redacted.transcript.calls
    assert call.arguments == '{"city": "Xxxxx", "note": "xxx\\u03c7 \\ud835\\udc31\\n1", "days": 7, "sure": true}'


def test_names_of_fields_stay_however_they_are_written() -> None:
    for text in ('{"城市": "北京"}', '{"\\u57ce\\u5e02": "\\u5317\\u4eac"}'):
        redacted = redact(streamed([opening(0, arguments=text)]), content=True)
        assert redacted.transcript.calls[0].value == {"城市": "ẋẋ"}


def test_what_is_left_of_a_request() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city":"Paris"}'}}
    units = {"type": "string", "enum": ["celsius", "kelvin"], "description": "Which scale?", "title": "Scale"}
    tool = {"type": "function", "function": {"name": "get_weather", "parameters": {"properties": {"unit": units}}}}
    request = {
        "model": "m-1",
        "tools": [tool],
        "tool_choice": "auto",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "name": "anna", "content": [{"type": "text", "text": "In celsius?"}]},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "call_1", "content": "mild"},
        ],
    }
    redacted = redact(Exchange("x#0", b"", request=request), content=True).exchange.request
    assert redacted is not None
    assert redacted["messages"] == [
        {"role": "system", "content": "Xx xxxxx."},
        {"role": "user", "name": "xxxx", "content": [{"type": "text", "text": "Xx celsius?"}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{**call, "function": {"name": "get_weather", "arguments": '{"city":"Xxxxx"}'}}],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "xxxx"},
    ]
    assert (redacted["model"], redacted["tool_choice"]) == ("m-1", "auto")
    declared = redacted["tools"][0]["function"]["parameters"]["properties"]["unit"]
    assert declared == {**units, "description": "Xxxxx xxxxx?", "title": "Xxxxx"}


@pytest.mark.parametrize(
    "body",
    [
        b": a comment by Anna\ndata: no JSON by Anna\n\nAnna: a line\n\n",
        b'data: {"choices":[{"delta":{"content":"by Ann',
        b"<html><body>Anna's own gateway</body></html>",
        b'{"error":{"message":"Anna has no credit","type":"quota","code":"no_credit"}}',
        b'data: {"choices":[{"delta":{"tool_calls":[{"function":{"arguments":{"who":"Anna"}}}]}}]}\n\n',
        b'data: {"choices":[{"delta":{"reasoning_details":[{"type":"text","text":"Anna"}]}}]}\n\n',
    ],
)
def test_text_goes_from_where_no_text_belongs(body: bytes) -> None:
    redacted = redact(Exchange("x#0", body), content=True)
    assert b"Ann" not in redacted.exchange.body
    assert len(redacted.exchange.body) == len(body)
    assert redacted.changed == ""


def test_an_error_is_told_but_for_what_it_quotes() -> None:
    asked = {"messages": [{"role": "user", "content": "Anna is ill, see http://anna.example"}], "tool_choice": "any"}
    told = {"error": {"message": "tool_choice is not supported ('Anna', and see http://anna too)", "code": 400}}
    exchange = Exchange("x#0", json.dumps(told).encode(), status=400, request=asked, asked_mode="complete")
    redacted = redact(exchange, content=True)
    assert verdict(redacted.exchange) == verdict(exchange)
    assert b"tool_choice is not supported" in redacted.exchange.body
    assert b"nna" not in redacted.exchange.body


def test_the_type_and_code_of_an_error_stay() -> None:
    body = b'{"error":{"message":"Anna has no credit","type":"quota","code":"no_credit"}}'
    redacted = redact(Exchange("x#0", body, status=402), content=True).exchange
    assert redacted.body == b'{"error":{"message":"Xxxx xxx xx xxxxxx","type":"quota","code":"no_credit"}}'


@given(st.text(max_size=60))
def test_placeholders_say_nothing(text: str) -> None:
    left = Placeholders(()).masked(text)
    assert len(left) == len(text)
    assert len(left.encode("utf-8", "surrogatepass")) == len(text.encode("utf-8", "surrogatepass"))
    for word in re.findall(r"[A-Za-z0-9]{5,}", text):
        assert word in PROTOCOL or word not in left or set(word) <= set("xX1")


_VALUES = st.recursive(
    st.text(max_size=12) | st.integers(-9, 99) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@given(
    value=st.dictionaries(st.text(max_size=6), _VALUES, max_size=4),
    cuts=st.lists(st.integers(0, 80), max_size=12),
    ascii_only=st.booleans(),
    indent=st.sampled_from([None, 1]),
)
def test_arguments_keep_their_shape_in_any_pieces(value: Any, cuts: list[int], ascii_only: bool, indent: Any) -> None:
    text = json.dumps({"city": "Paris", **value}, ensure_ascii=ascii_only, indent=indent)
    places = [0, *sorted({cut % len(text) for cut in cuts}), len(text)]
    parts = [text[a:b] for a, b in pairwise(places)]
    exchange = streamed([opening(0), *(entry(0, part) for part in parts)])
    redacted = redact(exchange, content=True)
    (call,) = redacted.transcript.calls
    assert redacted.changed == ""
    assert call.usable
    assert _keys(call.value) == _keys(json.loads(text))
    assert "Paris" not in call.arguments or "Paris" in str(_keys(value))


def _keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _keys(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_keys(inner) for inner in value]
    return len(value) if isinstance(value, str) else value


def test_growing_snapshots_stay_snapshots() -> None:
    text = '{"city": "Paris", "days": 12}'
    texts = [text[:end] for end in range(2, len(text) + 1, 3)]
    exchange = streamed([opening(0, arguments=texts[0]), *(entry(0, text) for text in [*texts[1:], text])])
    redacted = redact(exchange, content=True)
    assert read(exchange).calls[0].repair == redacted.transcript.calls[0].repair == "snapshot"
    assert redacted.changed == ""
    assert redacted.transcript.calls[0].value == {"city": "Xxxxx", "days": 12}


def test_a_tool_keeps_its_name_and_fields() -> None:
    request = redact(streamed([]), content=True).exchange.request or {}
    function = {**TOOL["function"], "description": "Xxx xxx xxxxxxx xxxxxxx."}  # type: ignore[dict-item]
    assert request["tools"] == [{"type": "function", "function": function}]
