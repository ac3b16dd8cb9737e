"""The shape of an answer: equal where a client sees no difference, without content, and the same out of a record."""

from __future__ import annotations

import json
import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.quirks import catalogue
from conformance.quirks.examples import exchange_of
from conformance.wire.read import read
from conformance.wire.shape import Shape, id_form, shape_of
from tests.wire.helpers import chunk, entries, entry, sse, transcript

FUNCTION = {"type": "function"}
PARIS = '{"city": "Paris"}'


def whole(message: dict[str, Any], finish: str = "tool_calls", **more: Any) -> Shape:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    body = json.dumps({"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], **more})
    shape = shape_of(transcript(body.encode(), asked="complete"))
    assert shape is not None
    return shape


def streamed(*deltas: dict[str, Any], finish: str = "tool_calls") -> Shape:
    shape = shape_of(transcript(sse(*(chunk(delta) for delta in deltas), chunk({}, finish))))
    assert shape is not None
    return shape


def call(call_id: str = "call_a1", arguments: Any = PARIS) -> dict[str, Any]:
    return entry(..., call_id, "get_weather", arguments, **FUNCTION)


def test_one_call_has_one_shape_in_both_modes() -> None:
    complete = whole({"content": None, "tool_calls": [call()]})
    stream = streamed(
        {"role": "assistant", "content": None},
        {"tool_calls": [entry(0, "call_b2", "get_weather", "", **FUNCTION)]},
        {"tool_calls": [entry(0, arguments='{"city":"Pa')]},
        {"tool_calls": [entry(0, arguments='ris"}')]},
    )
    assert complete.choices == stream.choices
    assert (complete.mode, stream.mode) == ("complete", "stream")
    (only,) = complete.choices[0].calls
    assert (only.name, only.type, only.arguments, only.fields) == ("get_weather", "function", "object", ())
    assert str(only.id) == "`call_` and 2 characters"


def test_long_names_are_kept_short_and_apart() -> None:
    long = "x" * 100_000
    one, two, same = (
        whole({"content": None, "tool_calls": [{**call(), "type": long + end, long + end: 1}]}, finish=long + end)
        for end in ("a", "b", "a")
    )
    assert one == same == Shape.of(one.row())
    assert len(json.dumps(one.row())) < 10_000
    ours, others = one.choices[0], two.choices[0]
    assert ours.finish_reason != others.finish_reason
    assert ours.calls[0].type != others.calls[0].type
    assert ours.calls[0].fields != others.calls[0].fields


@pytest.mark.parametrize(
    ("arguments", "form"),
    [
        (PARIS, "object"),
        ({"city": "Paris"}, "value"),
        (json.dumps(PARIS), "double-encoded"),
        ("", "empty"),
        (None, "absent"),
        (..., "absent"),
        ("[1]", "not-object"),
        ('{"city": ', "not-json"),
    ],
)
def test_how_arguments_come(arguments: Any, form: str) -> None:
    (only,) = whole({"content": None, "tool_calls": [call(arguments=arguments)]}).choices[0].calls
    assert only.arguments == form
    same = form in ("value", "double-encoded", "object")
    assert (only.digest == whole({"tool_calls": [call()]}).choices[0].calls[0].digest) is same


def test_growing_copies_are_repaired_arguments() -> None:
    pieces = ['{"city"', '{"city":"Paris', '{"city":"Paris"}']
    opening = {"tool_calls": [entry(0, "call_a1", "get_weather", "", **FUNCTION)]}
    (only,) = streamed(opening, *({"tool_calls": [entry(0, arguments=p)]} for p in pieces)).choices[0].calls
    assert only.arguments == "repaired"


@pytest.mark.parametrize(
    ("message", "content"),
    [({}, "absent"), ({"content": None}, "null"), ({"content": ""}, "empty"), ({"content": "Hm"}, "text")],
)
def test_content(message: dict[str, Any], content: str) -> None:
    assert whole({**message, "tool_calls": [call()]}).choices[0].content == content
    streams = "null" if content == "absent" else content
    assert streamed({**message, "tool_calls": [{"index": 0, **call()}]}).choices[0].content == streams


def test_what_stands_beside_calls() -> None:
    signed = {**call(), "extra_content": {"s": "c2ln"}}
    message = {"content": None, "reasoning": "Hm.", "refusal": "No.", "audio": {"id": "a"}, "tool_calls": [signed]}
    shape = whole(message, usage={"total_tokens": 3})
    (choice,) = shape.choices
    assert (choice.reasoning_field, choice.fields, choice.calls[0].fields) == (
        "reasoning",
        ("audio", "refusal"),
        ("extra_content",),
    )
    assert shape.usage
    assert not whole(message).usage


@pytest.mark.parametrize(
    "body",
    [b"", b"{}", b'{"error": {"message": "no"}}', sse(chunk({"content": "It is"}), done=False), sse(), b"<html>"],
)
def test_what_is_no_whole_answer_has_no_shape(body: bytes) -> None:
    assert shape_of(transcript(body)) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("call_7e0ec97656ca", "7e0ec97656ca"),
        ("call_7e0ec97656ca", "chatcmpl-tool-7e0ec97656ca"),
        ("call_abcdefghi", "call_abcdefghijabcdefghijabcdefghij"),
        ("a3bb189e-8bf9-3888-9912-ace4e6543002", "a3bb189e8bf938889912ace4e6543002"),
        ("call_1", "call_7e0ec97656ca"),
        ("", "call_1"),
    ],
)
def test_ids_of_different_forms(one: str, other: str) -> None:
    assert not id_form(one).like(id_form(other))
    assert not id_form(other).like(id_form(one))


LETTERS = string.ascii_letters + string.digits
GENERATORS = st.sampled_from(
    [
        lambda draw: "call_" + draw(st.text(LETTERS, min_size=24, max_size=24)),
        lambda draw: draw(st.text(LETTERS, min_size=9, max_size=9)),
        lambda draw: draw(st.text(LETTERS + "-_", min_size=21, max_size=21)),
        lambda draw: "chatcmpl-tool-" + draw(st.uuids()).hex,
        lambda draw: f"call_{draw(st.uuids())}",
        lambda draw: f"{draw(st.uuids())}_tool_call_{draw(st.integers(0, 30))}",
        lambda draw: f"call_{draw(st.integers(-(2**63), 2**63))}",
        lambda draw: f"functions.{draw(st.sampled_from(['get_weather', 'ping']))}:{draw(st.integers(0, 300))}",
    ]
)


@given(GENERATORS, st.data())
def test_ids_of_one_generator_are_alike(generator: Any, data: st.DataObject) -> None:
    one, other = (id_form(generator(data.draw)) for _ in range(2))
    assert one.like(other)
    assert other.like(one)


@given(st.text(), st.text())
def test_any_text_may_be_an_id(one: str, other: str) -> None:
    assert id_form(one).like(id_form(one))
    assert id_form(one).like(id_form(other)) == id_form(other).like(id_form(one))
    assert str(id_form(one))


def test_a_shape_comes_out_of_a_record_as_it_went_in() -> None:
    shapes = [shape_of(read(exchange_of(example))) for q in catalogue() for example in (*q.good, *q.bad)]
    there = [shape for shape in shapes if shape is not None]
    assert len(there) > 100
    for shape in there:
        assert Shape.of(json.loads(json.dumps(shape.row()))) == shape


def test_a_shape_holds_no_content() -> None:
    shape = whole({"content": "It is a secret", "tool_calls": [call("call_secret", '{"city": "secret"}')]})
    assert "secret" not in json.dumps(shape.row())


def test_values_are_equal_however_they_are_written() -> None:
    texts = ['{"a": "é", "b": [1]}', '{"b":[1],"a":"\\u00e9"}']
    one, other = (whole({"tool_calls": [call(arguments=text)]}).choices[0].calls[0].digest for text in texts)
    assert one == other
    assert whole({"tool_calls": [call(arguments='{"a": "e"}')]}).choices[0].calls[0].digest != one


def test_every_choice_has_its_shape() -> None:
    choices = [
        {"index": n, "delta": {"tool_calls": [entry(0, f"call_{n}", "get_weather", PARIS, **FUNCTION)]}} for n in (0, 1)
    ]
    ends: list[dict[str, Any]] = [{"index": n, "delta": {}, "finish_reason": "tool_calls"} for n in (0, 1)]
    first, last = entries(), entries()
    first["choices"], last["choices"] = choices, ends
    shape = shape_of(transcript(sse(first, last), request={"n": 2}))
    assert shape is not None
    assert [choice.index for choice in shape.choices] == [0, 1]
