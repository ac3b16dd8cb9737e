"""Where two JSON values, or two texts of JSON, begin to differ."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.view.values import Change, changes, parting

LEAVES = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab~/", max_size=3), inner, max_size=3)
)


@pytest.mark.parametrize(
    ("a", "b", "found"),
    [
        ({"city": "Paris"}, {"city": "Tokyo"}, [("/city", '"Paris"', '"Tokyo"')]),
        ({"a": 1}, {"a": 1.0}, []),
        ({"a": 1}, {"a": True}, [("/a", "1", "true")]),
        ({"a": 0}, {"a": False}, [("/a", "0", "false")]),
        ({}, {"x": None}, [("/x", None, "null")]),
        ({"x": [1, 2]}, {"x": [1]}, [("/x/1", "2", None)]),
        ({"x": [1]}, {"x": {"0": 1}}, [("/x", "[1]", '{"0": 1}')]),
        ({"a/b": 1, "m~n": 1}, {"a/b": 2, "m~n": 2}, [("/a~1b", "1", "2"), ("/m~0n", "1", "2")]),
        ("x", {}, [("", '"x"', "{}")]),
    ],
)
def test_changes(a: Any, b: Any, found: list[tuple[str, str | None, str | None]]) -> None:
    assert changes(a, b) == [Change(*one) for one in found]


def resolved(value: Any, pointer: str) -> Any:
    """The value at a pointer (RFC 6901), `...` if there is none."""
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        held = dict(enumerate(value)) if isinstance(value, list) else value
        value = held.get(int(key) if isinstance(value, list) else key, ...)
    return value


@given(VALUES, VALUES)
def test_pointers_lead_to_what_differs(a: Any, b: Any) -> None:
    found = changes(a, b)
    assert bool(found) == (json.dumps(a, sort_keys=True) != json.dumps(b, sort_keys=True))
    for change in found:
        for value, shown in ((a, change.a), (b, change.b)):
            there = resolved(value, change.pointer)
            assert (there is ...) == (shown is None)
            assert shown is None or json.loads(shown) == there


@pytest.mark.parametrize(
    ("a", "b", "at"),
    [
        ('{"city":"Par', '{"city":"Paris"}', (12, 12)),
        ('{"city":"Par', '{ "city" : "Paris" }', (12, 15)),
        ('{"a":"x y"}', '{"a":"xy"}', (7, 7)),  # white space inside of strings counts
        ('{"a":"\\" b"}', '{"a":"\\" c"}', (9, 9)),
        ("", "{}", (0, 0)),
        ("{}{}", "{}", (2, 2)),
    ],
)
def test_parting(a: str, b: str, at: tuple[int, int]) -> None:
    assert parting(a, b) == at


@given(VALUES)
def test_the_same_value_spaced_differently_does_not_part(value: Any) -> None:
    a, b = json.dumps(value), json.dumps(value, indent=2)
    assert parting(a, b) == (len(a), len(b))
