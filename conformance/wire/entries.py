"""Read single fields of an entry of `tool_calls`, whatever shape they came in. Standard library only."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from conformance.wire.arguments import Value
from conformance.wire.facts import ABSENT

SourceOf = Callable[[Sequence[str | int]], str | None]
"""Gives the source text of the value at a path of the document being read; None where there is no source."""


def text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def name_of(entry: Mapping[str, Any]) -> str:
    function = entry.get("function")
    if not isinstance(function, dict):
        function = entry.get("custom")
    if not isinstance(function, dict):
        function = entry
    return text(function.get("name"))


def index_of(value: Any) -> tuple[int | None, bool]:
    """(a): the index, or None if it counts as missing; and whether it came as a decimal string."""
    if isinstance(value, int) and not isinstance(value, bool):
        return (value, False) if value >= 0 else (None, False)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value), True
    return None, False


def with_text(entry: Mapping[str, Any], path: list[str | int], source_of: SourceOf | None) -> Mapping[str, Any]:
    """The entry with arguments that came as a JSON value replaced by their source text."""
    for key in ("function", "custom"):
        inner = entry.get(key)
        if isinstance(inner, dict):
            for name in ("arguments", "input"):
                value = inner.get(name)
                if value is not None and not isinstance(value, str):
                    text = as_text(value, [*path, key, name], source_of)
                    return {**entry, key: {**inner, name: text}}
    value = entry.get("arguments")
    if value is not None and not isinstance(value, str) and not isinstance(entry.get("function"), dict):
        return {**entry, "arguments": as_text(value, [*path, "arguments"], source_of)}
    return entry


def as_text(value: Any, path: Sequence[str | int], source_of: SourceOf | None) -> Any:
    if value is ABSENT or value is None or isinstance(value, str):
        return value
    text = source_of(path) if source_of is not None else None
    return Value(text if text is not None else json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def text_of(value: Any) -> str:
    """The text inside content that is not a string: parts of type text, in order."""
    parts = value if isinstance(value, list) else [value]
    found = []
    for part in parts:
        if isinstance(part, str):
            found.append(part)
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            found.append(part["text"])
    return "".join(found)
