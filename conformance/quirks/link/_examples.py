"""Made-up probes and answers for the examples of the link quirks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from conformance.quirks.common import complete, past_turn, stream
from conformance.quirks.probe import TOOL, result_text
from conformance.quirks.registry import Example, Source

TOOL_CALL_ID: Final = Source(
    "OpenAI API reference, messages, tool message, tool_call_id",
    "https://platform.openai.com/docs/api-reference/chat/create#chat-create-messages",
    "2026-11-30",
)
_SCHEMA: Final = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
_OFFER: Final = {"type": "function", "function": {"name": TOOL, "parameters": _SCHEMA}}


def request(*results: tuple[str, str], calls: Sequence[str] = ("call_a1", "call_b2")) -> dict[str, Any]:
    """Calls for Paris and Tokyo with these ids, and these results: pairs of id and word."""
    made = [
        {"id": call_id, "type": "function", "function": {"name": TOOL, "arguments": f'{{"city":"{city}"}}'}}
        for call_id, city in zip(calls, ("Paris", "Tokyo"), strict=True)
    ]
    told = [{"role": "tool", "tool_call_id": call_id, "content": result_text(word)} for call_id, word in results]
    question = {"role": "user", "content": "What are the code words of Paris and Tokyo?"}
    return {"messages": [question, past_turn(*made), *told], "tools": [_OFFER]}


def answered(request: Mapping[str, Any], text: str) -> Example:
    """The request, answered with this text at once."""
    return complete(finish="stop", content=text, request={**request, "stream": False})


def streamed(request: Mapping[str, Any], *pieces: str) -> Example:
    """The request, answered with these pieces of text."""
    return stream(*({"content": piece} for piece in pieces), finish="stop", request=request)
