# /// script
# requires-python = ">=3.11"
# dependencies = []
# ///
"""The Python accumulator of reference document 000, §2, with the repair of §4; fields as a library gives them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from described.arguments import repaired
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
        outcome.finish_reason = choice.finish_reason or outcome.finish_reason
        for entry in choice.delta.tool_calls or ():
            slot = slots.setdefault(entry.index, {"id": "", "name": "", "pieces": []})
            if entry.id:
                slot["id"] = entry.id
            if entry.function.name:
                slot["name"] = entry.function.name
            if entry.function.arguments:
                slot["pieces"].append(entry.function.arguments)
    for slot in slots.values():
        outcome.call(slot["id"], slot["name"], repaired("".join(slot["pieces"])))


serve("reference-python", "", drive, modes=["stream"], release="2026-11-30")
