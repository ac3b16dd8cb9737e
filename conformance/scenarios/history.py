"""Histories that a scenario writes itself, plain but for the one thing it is about.

Whether a server takes them does not depend on how it answers, so they are sent in one mode, complete, which costs
least, and with a small `max_tokens`: acceptance counts, not the text. The call in them has an id that no server issued
(`MADE_UP`), so that nobody is blamed for rejecting an id of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from conformance.quirks.traits import MADE_UP
from conformance.scenarios.request import GET_WEATHER, body

ID: Final = f"call_{MADE_UP}_1"
OTHER_ID: Final = f"call_{MADE_UP}_2"
PARIS: Final = '{"city":"Paris"}'
ROME: Final = '{"city":"Rome"}'

_MAX_TOKENS: Final = 48
_QUESTION: Final = {"role": "user", "content": "What is the weather in Paris? Call the get_weather tool."}


def past(model: str, *messages: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A request with these messages behind the user's question."""
    return body(model, [_QUESTION, *messages], [GET_WEATHER], max_tokens=_MAX_TOKENS, **more)


def call(call_id: str = ID, arguments: Any = PARIS, **more: Any) -> dict[str, Any]:
    """A call as it goes back."""
    return {"id": call_id, "type": "function", "function": {"name": "get_weather", "arguments": arguments}, **more}


def turn(*calls: Mapping[str, Any], content: Any = "Let me look.", **more: Any) -> dict[str, Any]:
    """An assistant message with calls, and with text, which no server objects to; `content=...` leaves it out."""
    message = {"role": "assistant", "content": content, "tool_calls": list(calls), **more}
    return {key: value for key, value in message.items() if value is not ...}


def result(call_id: str = ID, content: Any = "18 degrees, light rain") -> dict[str, Any]:
    """A tool's result."""
    return {"role": "tool", "tool_call_id": call_id, "content": content}
