"""GenAI attributes as a request and an answer of Chat Completions."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from conformance.importers.common import decoded, mapping, text_of

_NUMBERED: Final = re.compile(r"(gen_ai\.completion|llm\.completions|llm\.request\.functions)\.(\d{1,6})\.(.+)")
_CALL: Final = re.compile(r"tool_calls\.(\d{1,6})\.(id|name|arguments)")
_FINISH: Final = {"tool_call": "tool_calls"}
"""What the semantic conventions call a finish reason of the API's."""
FAILED: Final = "error"
"""The finish reason that an instrumentation notes when its client failed."""


def request(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """What is known of the request: model, tools, and whether a stream was asked for."""
    found: dict[str, Any] = {"model": text_of(attributes.get("gen_ai.request.model"))}
    streamed = attributes.get("gen_ai.is_streaming", attributes.get("llm.is_streaming"))
    if isinstance(streamed, bool):
        found["stream"] = streamed
    tools = [tool for item in _list(attributes.get("gen_ai.tool.definitions")) if (tool := _tool(mapping(item)))]
    tools += [tool for fields in _numbered(attributes, "llm.request.functions") if (tool := _tool(fields))]
    return found | ({"tools": tools} if tools else {})


def answer(attributes: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The answer as a `chat.completion` object; None if none was captured.

    Args:
        attributes: of a span, values decoded.
        events: bodies of its `gen_ai.choice` events.
    """
    messages = [mapping(item) for item in _list(attributes.get("gen_ai.output.messages"))]
    choices = (
        [_of_message(message) for message in messages]
        or [_of_event(event) for event in events]
        or [_of_numbered(fields) for fields in _numbered(attributes, "gen_ai.completion", "llm.completions")]
    )
    if not choices:
        return None
    finished = _list(attributes.get("gen_ai.response.finish_reasons"))
    for index, choice in enumerate(choices):
        choice["index"] = index
        reason = choice["finish_reason"] or (text_of(finished[index]) if index < len(finished) else "")
        choice["finish_reason"] = _FINISH.get(reason, reason) or None
    return {
        "id": text_of(attributes.get("gen_ai.response.id")),
        "object": "chat.completion",
        "model": text_of(attributes.get("gen_ai.response.model")),
        "choices": choices,
    }


def _of_message(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message in parts, as the semantic conventions have it, or as the API does."""
    parts = [mapping(part) for part in _list(message.get("parts"))]
    texts = [text_of(part.get("content")) for part in parts if part.get("type") == "text"]
    reasoning = [text_of(part.get("content")) for part in parts if part.get("type") == "reasoning"]
    calls = [_call(part) for part in parts if part.get("type") == "tool_call"]
    calls += [_call(mapping(call)) for call in _list(message.get("tool_calls"))]
    text = "".join(texts) or text_of(message.get("content"))
    return _choice(text, calls, text_of(message.get("finish_reason")), "".join(reasoning))


def _of_event(event: Mapping[str, Any]) -> dict[str, Any]:
    message = mapping(event.get("message"))
    return _of_message({**message, "finish_reason": event.get("finish_reason")})


def _of_numbered(fields: Mapping[str, Any]) -> dict[str, Any]:
    calls: dict[int, dict[str, Any]] = {}
    for key, value in fields.items():
        match = _CALL.fullmatch(key)
        if match is not None:
            calls.setdefault(int(match[1]), {})[match[2]] = value
    ordered = [_call(calls[number]) for number in sorted(calls)]
    return _choice(text_of(fields.get("content")), ordered, text_of(fields.get("finish_reason")))


def _choice(text: str, calls: list[dict[str, Any]], finish: str, reasoning: str = "") -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    if reasoning:
        message["reasoning_content"] = reasoning
    if calls:
        message["tool_calls"] = calls
    return {"index": 0, "message": message, "finish_reason": finish}


def _call(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A call; arguments that an instrumentation decoded are written as JSON again."""
    function = mapping(fields.get("function")) or fields
    arguments = function.get("arguments")
    return {
        "id": text_of(fields.get("id")),
        "type": "function",
        "function": {
            "name": text_of(function.get("name")),
            "arguments": arguments
            if isinstance(arguments, str)
            else ""
            if arguments is None
            else json.dumps(arguments),
        },
    }


def _tool(fields: Mapping[str, Any]) -> dict[str, Any] | None:
    function = mapping(fields.get("function")) or fields
    name = text_of(function.get("name"))
    parameters = _decoded(function.get("parameters"))
    if not name:
        return None
    known = {"parameters": parameters} if isinstance(parameters, Mapping) else {}
    return {"type": "function", "function": {"name": name, **known}}


def _numbered(attributes: Mapping[str, Any], *prefixes: str) -> list[dict[str, Any]]:
    """The objects that are spread over attributes `prefix.NUMBER.field`, in order."""
    found: dict[int, dict[str, Any]] = {}
    for key, value in attributes.items():
        match = _NUMBERED.fullmatch(key)
        if match is not None and match[1] in prefixes:
            found.setdefault(int(match[2]), {})[match[3]] = value
    return [found[number] for number in sorted(found)]


def _list(value: Any) -> list[Any]:
    """A list, also one that an attribute holds as JSON."""
    value = _decoded(value)
    return value if isinstance(value, list) else []


def _decoded(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return decoded(value)
    except ValueError:
        return None
