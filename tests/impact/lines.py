"""Lines that adapters say, written down by hand."""

from __future__ import annotations

from typing import Any

from conformance.faults.expected import Expected, Meant
from conformance.impact.handed import USUAL, Hands
from conformance.impact.judge import Seen, Verdict, judge

PARIS = Meant("call_a", "get_weather", {"city": "Paris"})
TOKYO = Meant("call_b", "get_weather", {"city": "Tokyo"})


def call(id: str | None = "call_a", name: Any = "get_weather", arguments: Any = '{"city":"Paris"}') -> dict[str, Any]:  # noqa: A002
    """A call that is handed over; by default the one of Paris."""
    return {"id": id, "name": name, "arguments": arguments}


def line(
    *calls: dict[str, Any], finish: Any = None, error: str = "", invalid: list[Any] | None = None
) -> dict[str, Any]:
    """An adapter's answer to a case."""
    raised = {"type": "ValueError", "message": error} if error else None
    return {
        "case": "c",
        "calls": list(calls),
        "invalid": invalid or [],
        "content": None,
        "finish_reason": finish,
        "error": raised,
    }


def verdict(
    duty: Any,
    meant: list[Meant],
    said: dict[str, Any],
    asked: tuple[str, ...] = ("stream",),
    hands: Hands = USUAL,
    also: tuple[tuple[Meant, ...], ...] = (),
) -> Verdict:
    """The verdict on a line."""
    return judge(Expected(tuple(meant), duty, also), "stream", Seen(said, asked=asked), hands)
