"""Repair of argument text for the conversation history, never for execution. Standard library only.

A model sometimes stops in the middle of its arguments; sent back as they are, they make the next request fail.
Reference document 000 §4 closes what is open and falls back to `{}`. A call repaired here must not be run: what is
missing is not known.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

Method = Literal["valid", "closed", "trimmed", "emptied"]


@dataclass(frozen=True, slots=True)
class Repaired:
    """What `repair_arguments` did.

    Attributes:
        text: argument text that parses to a JSON object.
        method: `valid` (unchanged), `closed` (open strings, objects and arrays were closed), `trimmed` (a dangling key,
            comma or literal was cut off first), `emptied` (nothing could be kept: `{}`).
        added: what was appended, "" if nothing.
        removed: what was cut off the end, "" if nothing.
    """

    text: str
    method: Method
    added: str = ""
    removed: str = ""


def repair_arguments(text: str, *, exact: bool = False) -> Repaired:
    """Make argument text fit for the history.

    Args:
        text: the argument text of a call, as accumulated.
        exact: only the steps the reference document gives: parse; append what unmatched `{` and `[` lack, braces
            counted wherever they stand; parse again; else `{}`. Without it, strings are respected and a dangling end is
            trimmed.

    Returns:
        The text and what was done to it; `text` always parses to an object.
    """
    if _is_object(text):
        return Repaired(text, "valid")
    if exact:
        added = "}" * (text.count("{") - text.count("}")) + "]" * (text.count("[") - text.count("]"))
        if added and _is_object(text + added):
            return Repaired(text + added, "closed", added)
        return Repaired("{}", "emptied", "", text)
    if text.lstrip().startswith("{"):
        closed = _closing(text)
        if closed is not None and _is_object(text + closed):
            return Repaired(text + closed, "closed", closed)
        for end in _cut_points(text):
            closed = _closing(text[:end])
            if closed is not None and _is_object(text[:end] + closed):
                return Repaired(text[:end] + closed, "trimmed", closed, text[end:])
    return Repaired("{}", "emptied", "", text)


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text, parse_constant=_refuse), dict)
    except (ValueError, RecursionError):
        return False


def _refuse(name: str) -> object:
    raise ValueError(name)


def _closing(text: str) -> str | None:
    """What closes the open string, objects and arrays, innermost first; None if brackets do not match."""
    stack: list[str] = []
    in_string = escaped = False
    for char in text:
        if in_string:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                in_string = False
        elif char == '"':
            in_string = True
        elif char in "{[":
            stack.append("}" if char == "{" else "]")
        elif char in "}]" and (not stack or stack.pop() != char):
            return None
    if escaped:
        return None
    return ('"' if in_string else "") + "".join(reversed(stack))


def _cut_points(text: str) -> list[int]:
    """Ends worth trying: before the last comma or after the last opening bracket outside strings, latest first."""
    points: list[int] = []
    in_string = escaped = False
    for position, char in enumerate(text):
        if in_string:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                in_string = False
        elif char == '"':
            in_string = True
        elif char == ",":
            points.append(position)
        elif char in "{[":
            points.append(position + 1)
    return points[::-1][:4]
