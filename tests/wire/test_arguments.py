"""What argument text is at the end: DESIGN §4.4 (f), and nothing is guessed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.wire.arguments import Depth, Value, parse, resolve
from tests.wire.helpers import chunk, entries, entry, sse, transcript

END = chunk({}, "tool_calls")


@pytest.mark.parametrize(
    ("pieces", "text", "repair"),
    [
        (['{"a":', "1}"], '{"a":1}', ""),
        (["", ""], "{}", "empty"),
        ([], "{}", "empty"),
        (['{"a', '{"a":', '{"a":1}'], '{"a":1}', "snapshot"),
        (['{"a":1}', '{"a":1}'], '{"a":1}', "snapshot"),
        (['{"a":', "1}", '{"a":1}'], '{"a":1}', "copy-dropped"),
        (['{"a":', "1}", '{"a": 1}'], '{"a":1}', "copy-dropped"),
        (["{}", '{"a":', "1}"], '{"a":1}', "brace-pair-dropped"),
        (['"{\\"a\\":1}"'], '{"a":1}', "unwrapped"),
        (['{"a":"\ud83d', '\udea9"}'], '{"a":"\U0001f6a9"}', "surrogates"),
    ],
)
def test_repairs(pieces: list[str], text: str, repair: str) -> None:
    found = resolve(pieces)
    assert (found.text, found.repair) == (text, repair)
    assert not found.parsed.error


@pytest.mark.parametrize(
    "pieces",
    [
        ['{"a":1}', '{"b":2}'],
        ['{"a":', "1"],
        ['"a":1}'],
        ["{'a': 1}"],
        ['{"a":NaN}'],
        ["[1]"],
        ["null"],
        ['"text"'],
        ['{"a":1} trailing'],
    ],
)
def test_what_no_rule_mends_is_handed_on_as_it_came(pieces: list[str]) -> None:
    found = resolve(pieces)
    assert found.text == "".join(pieces)
    assert found.repair == ""
    assert found.parsed.error


def test_concatenation_that_parses_wins_over_every_repair() -> None:
    # growing snapshots by accident: the pieces concatenate to an object of their own
    pieces = ['{"a":{"a":', '{"a":{"a":1}}', "}}"]
    assert resolve(pieces).text == "".join(pieces)


def test_an_object_sent_as_a_value_is_taken_from_its_source() -> None:
    raw = (
        b'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"x","function":'
        b'{"name":"f","arguments": {"n": 1.50, "big": 123456789012345678901234567890} }}]},"finish_reason":null}]}\n\n'
    )
    (call,) = transcript(raw + sse(END)).calls
    assert call.arguments == '{"n": 1.50, "big": 123456789012345678901234567890}'
    assert call.repair == "value"
    assert call.usable


def test_an_empty_object_value_on_the_opening_entry_is_nothing_yet() -> None:
    t = transcript(sse(entries(entry(0, "x", "f", {})), entries(entry(0, arguments='{"a":1}')), END))
    assert t.calls[0].arguments == '{"a":1}'
    alone = transcript(sse(entries(entry(0, "x", "f", {})), END))
    assert alone.calls[0].arguments == "{}"


def test_duplicate_keys_are_told() -> None:
    assert parse('{"a":1,"a":2}').duplicate_key == "a"
    assert parse('{"a":"\\"a\\":","b":{"a":1}}').duplicate_key == ""


def test_deep_nesting_is_refused_without_a_crash() -> None:
    assert parse('{"a":' * 100_000).error.startswith("beyond limits")


@given(
    st.dictionaries(st.text(), st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists)), st.data()
)
def test_any_cut_of_valid_json_is_put_together_again(value: dict[str, object], data: st.DataObject) -> None:
    text = json.dumps(value, ensure_ascii=data.draw(st.booleans()))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    found = resolve(pieces)
    assert found.text == text
    depth = Depth()
    for piece in pieces:
        depth.feed(piece)
    assert depth.one_complete


@given(st.lists(st.text(alphabet='{}[]":,ab1\\ \ud83d\udea9', max_size=8), max_size=8))
def test_resolving_never_raises(pieces: list[str]) -> None:
    found = resolve(pieces)
    assert isinstance(found.text, str)
    assert (not found.parsed.error) == isinstance(found.parsed.value, dict)
    assert isinstance(resolve([Value(p) for p in pieces]).text, str)
