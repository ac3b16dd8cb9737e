"""Walk through the calls and results of a history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.model import Level
from conformance.wire.transcript import Transcript


@dataclass(slots=True)
class HistoryTurn:
    """An assistant message with calls, and the tool messages right behind it.

    Attributes:
        position: of the assistant message in `messages`; -1 for results that no assistant message precedes.
        calls: its calls.
        results: position and message of each result.
        last: whether nothing follows the results.
    """

    position: int
    calls: Sequence[Mapping[str, Any]]
    results: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)
    last: bool = True


def turns(messages: Sequence[Mapping[str, Any]]) -> Iterator[HistoryTurn]:
    """The tool turns of a history, in order."""
    turn: HistoryTurn | None = None
    for position, message in enumerate(messages):
        role = message.get("role")
        if role == "tool":
            if turn is None:
                turn = HistoryTurn(-1, ())
            turn.results.append((position, message))
            continue
        if turn is not None:
            turn.last = False
            yield turn
            turn = None
        calls = calls_of(message) if role == "assistant" else []
        if calls:
            turn = HistoryTurn(position, calls)
    if turn is not None:
        yield turn


def tolerated(t: Transcript) -> Level | None:
    """`should` where the provider answered all the same; else the quirk's own level."""
    status = t.exchange.status
    return "should" if t.choices and (status is None or 200 <= status < 300) else None


def calls_of(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The calls of an assistant message."""
    listed = message.get("tool_calls")
    return [c for c in listed if isinstance(c, Mapping)] if isinstance(listed, list) else []


def call_ids(messages: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Every call id in a history with its JSON pointer."""
    return [
        (call["id"], f"/messages/{position}/tool_calls/{number}/id")
        for position, message in enumerate(messages)
        for number, call in enumerate(calls_of(message))
        if isinstance(call.get("id"), str)
    ]
