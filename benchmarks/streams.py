"""Invented answers for the benchmarks."""

from __future__ import annotations

import json
from typing import Any, Final

TOOL: Final[dict[str, Any]] = {
    "type": "function",
    "function": {
        "name": "write_page",
        "strict": True,
        "parameters": {
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "required": ["text"],
            "additionalProperties": False,
        },
    },
}
REQUEST: Final[dict[str, Any]] = {"stream": True, "tools": [TOOL]}
DONE: Final = b"data: [DONE]\n\n"


def event(delta: dict[str, Any], finish: str | None = None, **more: Any) -> bytes:
    """One chunk as a server-sent event, with all that OpenAI puts around a delta."""
    chunk = {
        "id": "chatcmpl-9aXyZ0123456789",
        "object": "chat.completion.chunk",
        "created": 1760000000,
        "model": "some-model-2026-08-06",
        "service_tier": "default",
        "system_fingerprint": "fp_44709d6fcb",
        "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}],
        **more,
    }
    return b"data: " + json.dumps(chunk, separators=(",", ":")).encode() + b"\n\n"


def opening(index: int = 0) -> dict[str, Any]:
    """The first entry of a call."""
    function = {"name": "write_page", "arguments": ""}
    return {"index": index, "id": f"call_{index:09}", "type": "function", "function": function}


def piece(number: int, of: int) -> str:
    """One of the pieces in which the arguments come; together they are an object with one text."""
    return '{"text":"' if number == 0 else '"}' if number == of - 1 else f" word{number}\\n"


def long_stream(deltas: int, *, blank: bool = False, varied: bool = False) -> bytes:
    """One call whose arguments come in many pieces.

    Args:
        deltas: number of argument deltas; 20,000 make about 6 MB.
        blank: every delta repeats empty id, type and name.
        varied: a field of the envelope differs on every chunk, as OpenAI's `obfuscation` does.
    """
    out = [event({"role": "assistant", "content": None, "tool_calls": [opening()]})]
    for number in range(deltas):
        function = {"arguments": piece(number, deltas)}
        entry: dict[str, Any] = {"index": 0, "function": function}
        if blank:
            entry = {"index": 0, "id": "", "type": "", "function": {"name": "", **function}}
        more = {"obfuscation": f"x{number}"} if varied else {}
        out.append(event({"tool_calls": [entry]}, **more))
    return b"".join([*out, event({}, "tool_calls"), DONE])


def many_calls(calls: int, deltas: int, *, interleaved: bool = False) -> bytes:
    """Parallel calls.

    Args:
        calls: how many.
        deltas: pieces of argument text of each.
        interleaved: the calls take turns at each delta instead of coming one after another.
    """
    order = (
        [(call, number) for number in range(deltas) for call in range(calls)]
        if interleaved
        else [(call, number) for call in range(calls) for number in range(deltas)]
    )
    out = [event({"role": "assistant", "content": None})]
    for call, number in order:
        if number == 0:
            out.append(event({"tool_calls": [opening(call)]}))
        entry = {"index": call, "function": {"arguments": piece(number, deltas)}}
        out.append(event({"tool_calls": [entry]}))
    return b"".join([*out, event({}, "tool_calls"), DONE])


def complete_answer(pieces: int) -> bytes:
    """The answer to a request without `stream`, with one call; 180 pieces make 2 KB."""
    text = "".join(piece(number, pieces) for number in range(pieces))
    call = {"id": "call_000000000", "type": "function", "function": {"name": "write_page", "arguments": text}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    body = {
        "id": "chatcmpl-9aXyZ0123456789",
        "object": "chat.completion",
        "created": 1760000000,
        "model": "some-model-2026-08-06",
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 80, "completion_tokens": pieces, "total_tokens": 80 + pieces},
    }
    return json.dumps(body, separators=(",", ":")).encode()
