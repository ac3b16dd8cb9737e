"""What the scenarios' requests are made of: tools, bodies, and the way back into the history.

Prompts are short and explicit, because a small model on a laptop must understand them; every answer is bounded, because
small models run away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from conformance.wire.accumulate import assistant_message, tool_message
from conformance.wire.transcript import Call, Transcript

MAX_TOKENS: Final = 256


def tool(name: str, description: str, **properties: Mapping[str, Any]) -> dict[str, Any]:
    """A function tool whose properties are all required."""
    return {
        "type": "function",
        "function": {
            "name": name,
            "description": description,
            "parameters": {
                "type": "object",
                "properties": properties,
                "required": list(properties),
                "additionalProperties": False,
            },
        },
    }


_CITY: Final = {"type": "string", "description": "Name of the city"}
GET_WEATHER: Final = tool("get_weather", "Get the current weather in a city", city=_CITY)
GET_TIME: Final = tool("get_time", "Get the current local time in a city", city=_CITY)
SAVE_NOTE: Final = tool("save_note", "Save a note", text={"type": "string", "description": "Text of the note"})

WEATHER_QUESTION: Final = "What is the weather in Paris? Call the get_weather tool."
# "two things at once" is what makes models of half a billion parameters call twice
TWO_TOOLS_QUESTION: Final = "Do two things at once: call get_weather for Paris and call get_time for Tokyo."

_RESULTS: Final[Mapping[str, str]] = {"get_weather": "18 degrees, light rain", "get_time": "21:40"}


def body(
    model: str,
    prompt: str | Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]],
    *,
    max_tokens: int = MAX_TOKENS,
    **more: Any,
) -> dict[str, Any]:
    """A request body: deterministic as far as servers allow, and bounded.

    Args:
        model: as the provider names it.
        prompt: the user's message, or all messages.
        tools: what is offered.
        max_tokens: bound of the answer.
        more: further fields, such as `tool_choice`.
    """
    messages = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else list(prompt)
    return {
        "model": model,
        "messages": messages,
        "tools": list(tools),
        "temperature": 0,
        "seed": 7,
        "max_tokens": max_tokens,
        **more,
    }


def runnable(transcript: Transcript) -> list[Call]:
    """The calls an agent runs: those of the first choice of a complete answer, if the arguments of all of them parse.

    Otherwise none: a history with half a call in it says nothing about the provider, and most servers refuse it.
    """
    if not transcript.complete or not transcript.choices:
        return []
    calls = transcript.choices[0].calls
    return calls if all(not call.parse_error for call in calls) else []


def with_results(first: Mapping[str, Any], transcript: Transcript, calls: Sequence[Call]) -> dict[str, Any]:
    """The request that follows `first`: its answer and the tools' results go back, `tool_choice` is the default.

    Ids, arguments and unknown fields go back as they came. Source: reference document 000 §3.

    Args:
        first: the request that was answered.
        transcript: its answer.
        calls: the calls in the order in which their results are ready.
    """
    results = [tool_message(call, _RESULTS.get(call.name, "done")) for call in calls]
    following = {key: value for key, value in first.items() if key != "tool_choice"}
    following["messages"] = [*first["messages"], assistant_message(transcript.choices[0]), *results]
    return following
