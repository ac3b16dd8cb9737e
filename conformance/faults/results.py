"""The calls and results at the end of a history, and what is told of them when results are paired in different ways."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Told = list[tuple[str, str]]
"""What each call was about, and the text of its result (`""` if it has none)."""


@dataclass(frozen=True, slots=True)
class Called:
    """A call of a history: its id, the function's name, and what it is about (its first argument, else the name)."""

    id: str
    name: str
    about: str


@dataclass(slots=True)
class Round:
    """The calls of the last assistant message that made some, and the results behind it: pairs of id and text."""

    calls: list[Called] = field(default_factory=list)
    results: list[tuple[str, str]] = field(default_factory=list)


def last_round(request: Mapping[str, Any]) -> Round:
    """The last round of a request's history; what is no message or call is passed over."""
    found = Round()
    messages = request.get("messages")
    for message in messages if isinstance(messages, list) else ():
        if not isinstance(message, Mapping):
            continue
        made = message.get("tool_calls")
        if message.get("role") == "assistant" and isinstance(made, list):
            found = Round([_called(call) for call in made if isinstance(call, Mapping)])
        elif message.get("role") == "tool":
            found.results.append((str(message.get("tool_call_id") or ""), str(message.get("content"))))
    return found


def by_id(last: Round) -> Told:
    """A result belongs to the call whose id it names; results without an id go to the calls in order."""
    if not any(call_id for call_id, _ in last.results):
        return by_position(last)
    texts = dict(last.results)
    return [(call.about, texts.get(call.id, "")) for call in last.calls]


def by_position(last: Round) -> Told:
    """The first result belongs to the first call."""
    texts = [text for _, text in last.results] + [""] * len(last.calls)
    return [(call.about, text) for call, text in zip(last.calls, texts, strict=False)]


def sentence(told: Told) -> str:
    """What an honest server makes of it."""
    return "The results are: " + "; ".join(f"{what}: {text or 'no result'}" for what, text in told)


def _called(call: Mapping[str, Any]) -> Called:
    function = call.get("function")
    function = function if isinstance(function, Mapping) else {}
    name = str(function.get("name"))
    try:
        arguments = json.loads(str(function.get("arguments")))
    except (ValueError, RecursionError):
        arguments = None
    first = next(iter(arguments.values()), None) if isinstance(arguments, dict) else None
    return Called(str(call.get("id") or ""), name, first if isinstance(first, str) else name)
