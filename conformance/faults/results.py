"""The calls and results at the end of a history, and what is told of them when results are paired in different ways."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

Told = list[tuple[str, str]]
"""What each call was about, and the text of its result (`""` if it has none)."""


def last_round(messages: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], list[Mapping[str, Any]]]:
    """The calls of the last assistant message that made some, and the tool messages behind it."""
    calls: list[dict[str, Any]] = []
    results: list[Mapping[str, Any]] = []
    for message in messages:
        made = message.get("tool_calls")
        if message.get("role") == "assistant" and isinstance(made, list):
            calls, results = [call for call in made if isinstance(call, dict)], []
        elif message.get("role") == "tool":
            results.append(message)
    return calls, results


def by_id(messages: Sequence[Mapping[str, Any]]) -> Told:
    """A result belongs to the call whose id it names; results without an id go to the calls in order."""
    calls, results = last_round(messages)
    if not any(result.get("tool_call_id") for result in results):
        return by_position(messages)
    texts = {result.get("tool_call_id"): str(result.get("content")) for result in results}
    return [(about(call), texts.get(call.get("id"), "")) for call in calls]


def by_position(messages: Sequence[Mapping[str, Any]]) -> Told:
    """The first result belongs to the first call."""
    calls, results = last_round(messages)
    texts = [str(result.get("content")) for result in results]
    texts += [""] * (len(calls) - len(texts))
    return [(about(call), text) for call, text in zip(calls, texts, strict=False)]


def about(call: Mapping[str, Any]) -> str:
    """The first argument of a call, else its name."""
    function = call.get("function")
    function = function if isinstance(function, Mapping) else {}
    try:
        arguments = json.loads(str(function.get("arguments")))
    except (ValueError, RecursionError):
        arguments = None
    first = next(iter(arguments.values()), None) if isinstance(arguments, dict) else None
    return first if isinstance(first, str) else str(function.get("name"))


def sentence(told: Told) -> str:
    """What an honest server makes of it."""
    return "The results are: " + "; ".join(f"{what}: {text or 'no result'}" for what, text in told)
