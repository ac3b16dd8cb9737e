"""One invented exchange, and the wrappings it can come in."""

from __future__ import annotations

import json
from typing import Any

from conformance.errors import ConformanceError
from conformance.importers.load import from_bytes
from conformance.model import Exchange

CHUNKS: list[dict[str, Any]] = [
    {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    for delta, finish in [
        (
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "index": 0,
                        "id": "call_a1",
                        "type": "function",
                        "function": {"name": "get_weather", "arguments": '{"city":'},
                    }
                ],
            },
            None,
        ),
        ({"tool_calls": [{"index": 0, "function": {"arguments": ' "Paris"}'}}]}, None),
        ({}, "tool_calls"),
    ]
]
STREAM = b"".join(b"data: " + json.dumps(c).encode() + b"\n\n" for c in CHUNKS) + b"data: [DONE]\n\n"
LINES = b"".join(json.dumps(c).encode() + b"\n" for c in CHUNKS)
ANSWER: dict[str, Any] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [
        {
            "index": 0,
            "message": {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": "call_a1",
                        "type": "function",
                        "function": {"name": "get_weather", "arguments": '{"city": "Paris"}'},
                    }
                ],
            },
            "finish_reason": "tool_calls",
        }
    ],
}
REQUEST: dict[str, Any] = {
    "model": "m",
    "stream": True,
    "messages": [{"role": "user", "content": "Weather in Paris?"}],
    "tools": [{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}],
}
CAPTURE: dict[str, Any] = {
    "provider": "acme",
    "model": "m",
    "stream": True,
    "request": REQUEST,
    "status": 200,
    "response_headers": {"Content-Type": "text/event-stream"},
    "response_body": STREAM.decode(),
}


def har_entry(
    content: dict[str, Any] | None = None,
    *,
    method: str = "POST",
    url: str = "https://api.example.com/v1/chat/completions",
    status: int = 200,
) -> dict[str, Any]:
    """One entry of a HAR."""
    return {
        "startedDateTime": "2026-01-02T03:04:05Z",
        "request": {"method": method, "url": url, "postData": {"text": json.dumps(REQUEST)}},
        "response": {
            "status": status,
            "headers": [
                {"name": "Content-Type", "value": "text/event-stream"},
                {"name": "Content-Encoding", "value": "gzip"},
            ],
            "content": content if content is not None else {"text": STREAM.decode(), "size": len(STREAM)},
        },
    }


def har(*entries: Any) -> bytes:
    """A HAR of these entries."""
    return json.dumps({"log": {"version": "1.2", "entries": list(entries)}}).encode()


def outcome(data: bytes) -> tuple[list[Exchange], str]:
    """The exchanges of a file called `file`, and what was said at the end about those that cannot be read."""
    found: list[Exchange] = []
    iterator = from_bytes(data, "file")
    try:
        while (exchange := next(iterator, None)) is not None:
            found.append(exchange)
    except ConformanceError as problem:
        return found, str(problem)
    return found, ""
