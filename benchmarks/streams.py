"""Invented streams for the benchmarks."""

from __future__ import annotations

import json
from typing import Any

REQUEST: dict[str, Any] = {"stream": True, "tools": [{"type": "function", "function": {"name": "write_page"}}]}


def long_stream(deltas: int, *, blank: bool = False, varied: bool = False) -> bytes:
    """One call whose arguments come in many pieces.

    Args:
        deltas: number of argument deltas; 20,000 make about 6 MB.
        blank: every delta repeats empty id, type and name.
        varied: a field of the envelope differs on every chunk, as OpenAI's `obfuscation` does.
    """
    out = []

    def add(delta: dict[str, Any], finish: str | None = None, padding: str = "") -> None:
        chunk = {
            "id": "chatcmpl-9aXyZ0123456789",
            "object": "chat.completion.chunk",
            "created": 1760000000,
            "model": "some-model-2026-08-06",
            "service_tier": "default",
            "system_fingerprint": "fp_44709d6fcb",
            "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}],
        }
        if padding:
            chunk["obfuscation"] = padding
        out.append(b"data: " + json.dumps(chunk, separators=(",", ":")).encode() + b"\n\n")

    function = {"name": "write_page", "arguments": ""}
    opening = {"index": 0, "id": "call_abc", "type": "function", "function": function}
    add({"role": "assistant", "content": None, "tool_calls": [opening]})
    for number in range(deltas):
        text = '{"text":"' if number == 0 else '"}' if number == deltas - 1 else f" word{number}\\n"
        entry: dict[str, Any] = {"index": 0, "function": {"arguments": text}}
        if blank:
            entry = {"index": 0, "id": "", "type": "", "function": {"name": "", "arguments": text}}
        add({"tool_calls": [entry]}, padding=f"x{number}" if varied else "")
    add({}, "tool_calls")
    out.append(b"data: [DONE]\n\n")
    return b"".join(out)
