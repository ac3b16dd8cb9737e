"""Argument text that does not parse has exactly one class, and what was not cut is not called cut."""

from __future__ import annotations

import json

import pytest

from conformance.quirks import judge
from tests.wire.helpers import transcript


def classes(arguments: str, finish: str = "tool_calls") -> set[str]:
    call = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": arguments}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    body = {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    found = judge(transcript(json.dumps(body).encode(), asked="complete")).findings
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


def test_an_integer_beyond_what_python_converts_is_no_crash() -> None:
    assert classes('{"a":' + "9" * 5000 + "}") == {"arguments-not-json"}
    assert classes('{"a":' + "9" * 5000 + '}{"b":1}') == {"arguments-not-json"}
