"""How OpenAI-compatible providers deviate in tool calling, and an accumulator that survives it.

What is offered here needs the standard library only, so that an agent can use it without the harness. It is imported
when first asked for: pytest loads this package in every run of an environment that has the plugin.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from conformance.wire.accumulate import (
        Accumulator,
        ArgumentsPiece,
        Result,
        StreamEvent,
        Text,
        ToolNamed,
        assistant_message,
        tool_message,
    )
    from conformance.wire.repair import Repaired, repair_arguments
    from conformance.wire.transcript import Call, Choice

__all__ = [
    "Accumulator",
    "ArgumentsPiece",
    "Call",
    "Choice",
    "Repaired",
    "Result",
    "StreamEvent",
    "Text",
    "ToolNamed",
    "assistant_message",
    "repair_arguments",
    "tool_message",
]

_HOMES = {"Repaired": "repair", "repair_arguments": "repair", "Call": "transcript", "Choice": "transcript"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"conformance.wire.{_HOMES.get(name, 'accumulate')}"), name)
