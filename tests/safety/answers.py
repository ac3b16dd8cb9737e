"""Answers as good and as bad as they come, over raw sockets."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from tests.transport import server
from tests.transport.server import Answer

CALL: Final = {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": ""}}


def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> dict[str, Any]:
    """One chunk of a streamed answer."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    envelope = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {**envelope, "choices": [choice], **more}


def events(*chunks: Any) -> list[bytes]:
    """These chunks as SSE events, with an honest end."""
    return [*(f"data: {json.dumps(one, ensure_ascii=False)}\n\n".encode() for one in chunks), b"data: [DONE]\n\n"]


GOOD: Final = events(
    chunk({"role": "assistant", "content": None}),
    chunk({"tool_calls": [{"index": 0, **CALL}]}),
    chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"city": "Paris"}'}}]}),
    chunk({}, "tool_calls"),
)
"""A streamed answer without a fault."""


def stream(parts: Iterable[bytes], *fields: str) -> Answer:
    """A chunked event stream."""
    head = server.head("200 OK", "Content-Type: text/event-stream", "Transfer-Encoding: chunked", *fields)
    return server.raw(head, *map(server.chunk, parts), server.chunk(b""))


def body(data: bytes, status: str = "200 OK", *fields: str) -> Answer:
    """A body with its length, and no content type unless it is given."""
    return server.raw(server.head(status, f"Content-Length: {len(data)}", *fields) + data)


def error(status: str, message: str, *fields: str) -> Answer:
    """An error as OpenAI sends it."""
    data = json.dumps({"error": {"message": message}}).encode()
    return body(data, status, "Content-Type: application/json", *fields)
