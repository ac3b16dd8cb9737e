"""Argument text that does not parse has exactly one class, and what was not cut is not called cut."""

from __future__ import annotations

import json

import pytest

from conformance.quirks import judge
from tests.wire.helpers import transcript


def body_with(arguments: str, finish: str = "tool_calls") -> bytes:
    call = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": arguments}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    body = {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    return json.dumps(body).encode()


def classes(arguments: str, finish: str = "tool_calls") -> set[str]:
    found = judge(transcript(body_with(arguments, finish), asked="complete")).findings
    return {f.quirk for f in found if f.quirk.startswith("arguments-")}


@pytest.mark.parametrize(
    ("arguments", "quirk"),
    [
        ('{"a":', "arguments-truncated"),
        ('{"a":"b', "arguments-truncated"),
        ('{"a":1,', "arguments-truncated"),
        ('{"a":[1,2', "arguments-truncated"),
        ('{"a":tru', "arguments-truncated"),
        ('{"a":"\\', "arguments-truncated"),
        ('{"a":"}', "arguments-truncated"),
        ('{"a":1,}', "arguments-not-json"),
        ('{"a":[1,]}', "arguments-not-json"),
        ("{a:1}", "arguments-not-json"),
        ('{"a":1}}', "arguments-trailing-text"),
        ('{"a":1}{"a":2}', "arguments-glued"),
        ('{"a":1}\n{"a":2}', "arguments-glued"),
        ('{"a":1}</tool_call>', "arguments-template-markers"),
        ('{"a":1}<|im_end|>', "arguments-template-markers"),
        ('"a":1}', "arguments-lost-braces"),
        ("{'a': None}", "arguments-python-literal"),
        ('{"a":-Infinity}', "arguments-nan"),
        ('{"a":"b\nc"}', "arguments-raw-control"),
        ('{"a":"\\d+"}', "arguments-invalid-escape"),
        ("null", "arguments-not-object"),
        ('"text"', "arguments-not-object"),
        ("12", "arguments-not-object"),
        ('"{\\"a\\":1}"', "arguments-double-encoded"),
        ("", "arguments-empty"),
    ],
)
def test_one_class_each(arguments: str, quirk: str) -> None:
    assert classes(arguments) == {quirk}


@pytest.mark.parametrize("arguments", ["{}", ' {"a":1} ', '{"a":"\\u00e9"}', '{"a":"<b>&amp;</b>"}', '{"a":{"a":1}}'])
def test_what_is_fine_is_fine(arguments: str) -> None:
    assert classes(arguments) == set()


def test_the_limit_is_told_apart_from_a_cut() -> None:
    assert classes('{"a":"b', finish="length") == {"arguments-truncated-by-length"}


LONG = "9" * 4301


@pytest.mark.parametrize("arguments", ['{"a":%s}', '{"a":-%s}', '{"a":[1,{"b":%s}]}'])
def test_an_integer_that_python_does_not_convert_is_beyond_limits_and_not_wrong(arguments: str) -> None:
    assert classes(arguments % LONG) == {"arguments-beyond-limits"}
    assert classes(arguments % LONG[1:]) == set()


def test_nesting_beyond_the_limit_is_not_wrong_either() -> None:
    for depth in (500, 2000, 200_000):  # the object is a level as well
        assert classes('{"a":' + "[" * depth + "]" * depth + "}") == {"arguments-beyond-limits"}
    assert classes('{"a":' + "[" * 499 + "]" * 499 + "}") == set()


def test_a_long_integer_excuses_nothing_else() -> None:
    assert classes('{"a":' + LONG + '}{"b":1}') == {"arguments-glued"}
    assert classes('{"a":' + LONG + ",}") == {"arguments-not-json"}
    assert classes('{"a":' + LONG + ',"b":NaN}') == {"arguments-nan"}
    assert classes('{"a":' + LONG + ',"b":"c') == {"arguments-not-json"}
    assert classes(LONG) == {"arguments-beyond-limits"}


def test_advice_of_the_interpreter_stays_out() -> None:
    for arguments in ('{"a":' + LONG + "}", '{"a":' + LONG):
        (call,) = transcript(body_with(arguments), asked="complete").calls
        assert "sys." not in call.parse_error
        assert not call.usable
