# /// script
# requires-python = ">=3.11"
# dependencies = []
# ///
"""The example of reference document 001: calls run if the stream ends with `tool_calls` and they parse."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from described.chunks import chunks
from line_protocol import Outcome, serve


def drive(case: Mapping[str, Any], outcome: Outcome) -> None:
    slots: dict[Any, dict[str, Any]] = {}
    for chunk in chunks(case):
        if not chunk.choices:
            continue
        choice = chunk.choices[0]
        if choice.delta.content:
            outcome.content = (outcome.content or "") + choice.delta.content
        for entry in choice.delta.tool_calls or ():
            slot = slots.setdefault(entry.index, {"id": None, "name": "", "arguments": ""})
            if entry.id:
                slot["id"] = entry.id
            if entry.function and entry.function.name:
                slot["name"] += entry.function.name
            if entry.function and entry.function.arguments:
                slot["arguments"] += entry.function.arguments
        outcome.finish_reason = choice.finish_reason or outcome.finish_reason
    calls = [slots[index] for index in sorted(slots)]
    for call in calls if outcome.finish_reason == "tool_calls" else ():
        try:
            outcome.call(call["id"], call["name"], json.loads(call["arguments"]))
        except (ValueError, RecursionError) as problem:
            outcome.refused(call["id"], call["name"], call["arguments"], str(problem))


serve("syntic-example", "", drive, modes=["stream"], release="2026-11-30")
