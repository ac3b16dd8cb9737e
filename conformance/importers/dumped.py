"""Answers and chunks that a client library wrote out of its typed objects: what never came stands in them as null."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from conformance.importers.common import mapping

_DELTA: Final = frozenset(("content", "function_call", "refusal", "role", "tool_calls"))
"""What typed deltas and messages have in common; no wire carries all of them in every chunk."""


def is_dump(documents: Sequence[Any]) -> bool:
    """Whether decoded chunks (or answers) were written by a client library, with every field there is."""
    parts = [part for document in documents for part in _parts(document)]
    return bool(parts) and all(_DELTA.issubset(part) for part in parts)


def without_nulls(document: Any) -> Any:
    """A dumped chunk or answer without the nulls that say nothing; what is left had a value on the wire."""
    if not isinstance(document, Mapping):
        return document
    cleaned = _cleaned(document)
    if isinstance(cleaned.get("choices"), list):
        cleaned["choices"] = [_choice(choice) for choice in cleaned["choices"]]
    return cleaned


def _parts(document: Any) -> Iterator[Mapping[str, Any]]:
    choices = mapping(document).get("choices")
    for choice in choices if isinstance(choices, list) else ():
        held = mapping(choice)
        part = held.get("delta") if "delta" in held else held.get("message")
        if isinstance(part, Mapping):
            yield part


def _choice(choice: Any) -> Any:
    if not isinstance(choice, Mapping):
        return choice
    cleaned = _cleaned(choice)
    for name in ("delta", "message"):
        if isinstance(cleaned.get(name), Mapping):
            part = cleaned[name] = _cleaned(cleaned[name])
            if isinstance(part.get("tool_calls"), list):
                part["tool_calls"] = [_call(call) for call in part["tool_calls"]]
    return cleaned


def _call(call: Any) -> Any:
    if not isinstance(call, Mapping):
        return call
    cleaned = _cleaned(call)
    if isinstance(cleaned.get("function"), Mapping):
        cleaned["function"] = _cleaned(cleaned["function"])
    return cleaned


def _cleaned(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value is not None}
