"""JSON values that libraries hand over: parsed strictly, compared and shown however deep they are."""

from __future__ import annotations

import json
from typing import Any

import orjson


def parsed(text: str) -> Any:
    """What a text says as strict JSON; None if it does not parse.

    No NaN, no raw control characters. Nesting counts as unparsable where a common reader gives it up.
    """
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def document(line: bytes) -> Any:
    """A line of the protocol, also with what lenient writers put in it: NaN, half a surrogate pair.

    Raises:
        ValueError: it is no JSON document.
    """
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        try:
            return json.loads(line.decode("utf-8", "surrogatepass"))
        except RecursionError:
            raise ValueError("it is nested too deeply") from None


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal; a number is no boolean, NaN is NaN, and depth does not matter."""
    waiting = [(one, other)]
    while waiting:
        left, right = waiting.pop()
        if isinstance(left, dict) and isinstance(right, dict):
            if left.keys() != right.keys():
                return False
            waiting += [(left[key], right[key]) for key in left]
        elif isinstance(left, list) and isinstance(right, list):
            if len(left) != len(right):
                return False
            waiting += zip(left, right, strict=True)
        elif _kind(left) is not _kind(right) or (left != right and not (left != left and right != right)):
            return False
    return True


def _kind(value: Any) -> type:
    return float if type(value) is int else type(value)


def compact(value: Any) -> str:
    """A JSON value as text, for showing."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        return "(nested deeply)"
