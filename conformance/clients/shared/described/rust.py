"""The Rust accumulator of reference document 000, once for both of its variants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from .arguments import repaired
from .async_openai import decode
from .chunks import chunks

if TYPE_CHECKING:
    from conformance.clients.shared.line_protocol import Outcome


def accumulate(case: Mapping[str, Any], outcome: Outcome, sets: Callable[[str | None], bool]) -> None:
    """Read a stream into calls.

    Args:
        case, outcome: as an adapter gets them.
        sets: whether an id or a name on an entry, None if it is absent, replaces the one held.

    Raises:
        ValueError: a chunk does not fit its type.
    """
    slots: dict[int, dict[str, str]] = {}
    for chunk in chunks(case, decode):
        if not chunk.choices:
            continue
        choice = chunk.choices[0]
        if choice.delta.content:
            outcome.content = (outcome.content or "") + choice.delta.content
        outcome.finish_reason = choice.finish_reason or outcome.finish_reason
        for entry in choice.delta.tool_calls or ():
            slot = slots.setdefault(entry.index, {"id": "", "name": "", "arguments": ""})
            if sets(entry.id):
                slot["id"] = entry.id
            if entry.function is None:
                continue
            if sets(entry.function.name):
                slot["name"] = entry.function.name
            slot["arguments"] += entry.function.arguments or ""
    for _, slot in sorted(slots.items()):
        outcome.call(slot["id"], slot["name"], repaired(slot["arguments"]))
