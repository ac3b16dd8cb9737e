"""How OpenAI-compatible providers deviate in tool calling, and an accumulator that survives it.

What is imported here needs the standard library only, so that an agent can use it without the harness.
"""

from __future__ import annotations

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
