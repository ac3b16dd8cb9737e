"""Where two JSON values, or two texts of JSON, begin to differ. Standard library only."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

_ABSENT: Final = object()
_SPACE: Final = " \t\n\r"


@dataclass(frozen=True, slots=True)
class Change:
    """One place where two values differ.

    Attributes:
        pointer: JSON pointer (RFC 6901), `""` for the whole.
        a, b: what stands there as JSON, None where there is nothing.
    """

    pointer: str
    a: str | None
    b: str | None


def changes(a: Any, b: Any) -> list[Change]:
    """The innermost places where two decoded JSON values differ, in the order of `a`, then of `b`.

    Numbers are equal by value, so that `1` and `1.0` are; `true` is no number.
    """
    found: list[Change] = []
    stack: list[tuple[str, Any, Any]] = [("", a, b)]
    while stack:
        pointer, left, right = stack.pop()
        steps: list[tuple[str, Any, Any]] = []
        if isinstance(left, dict) and isinstance(right, dict):
            steps = [(k, left.get(k, _ABSENT), right.get(k, _ABSENT)) for k in dict.fromkeys([*left, *right])]
        elif isinstance(left, list) and isinstance(right, list):
            items = zip_longest(left, right, fillvalue=_ABSENT)
            steps = [(str(position), x, y) for position, (x, y) in enumerate(items)]
        elif isinstance(left, bool) != isinstance(right, bool) or left != right:
            found.append(Change(pointer, _json(left), _json(right)))
        stack += [(f"{pointer}/{_escaped(key)}", x, y) for key, x, y in reversed(steps)]
    return found


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _json(value: Any) -> str | None:
    if value is _ABSENT:
        return None
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "…"


def parting(a: str, b: str) -> tuple[int, int]:
    """Where two JSON texts part, white space outside of strings aside.

    Returns:
        Offsets of the first characters that differ, in `a` and in `b`; their lengths if nothing does.
    """
    i = j = 0
    in_string = escaped = False
    while True:
        if not in_string:
            i, j = _past_space(a, i), _past_space(b, j)
        if i >= len(a) or j >= len(b) or a[i] != b[j]:
            return i, j
        character = a[i]
        if escaped:
            escaped = False
        elif in_string and character == "\\":
            escaped = True
        elif character == '"':
            in_string = not in_string
        i, j = i + 1, j + 1


def _past_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at
