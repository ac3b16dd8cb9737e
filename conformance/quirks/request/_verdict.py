"""What the quirks about one trait of a request share: their two checks, the place in the reference, and examples."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from conformance.quirks.asked import traits
from conformance.quirks.common import GOOD_TEXT_COMPLETE, PARIS, WEATHER, past_call, past_result, past_turn
from conformance.quirks.registry import Example, Hit, Source
from conformance.quirks.rejection import is_rejection, is_vague, said
from conformance.quirks.traits import PHRASES, Trait
from conformance.wire.transcript import Transcript

Request = Mapping[str, Any]
NAMED: Final = {"type": "function", "function": {"name": "get_weather"}}


def rejected(t: Transcript, trait: Trait) -> Iterator[Hit]:
    """Hit if the exchange, known to be decided on this trait, is a rejection; `info` where no word of it says so."""
    if not is_rejection(t):
        return
    unsaid = is_vague(t)
    reason = "the error does not say why" if unsaid else "the error says so"
    yield Hit(
        f"the request is rejected with HTTP {t.exchange.status} over {PHRASES[trait]} ({reason})",
        short(t),
        level="info" if unsaid else None,
    )


def accepted(t: Transcript, trait: Trait) -> Iterator[Hit]:
    """Hit if the exchange, known to be decided on this trait, is an answer."""
    if not is_rejection(t):
        yield Hit(f"the request is answered in spite of {PHRASES[trait]}", f"request {traits(t.asked)[trait]}")


def short(t: Transcript) -> str:
    """Status and words of an error on one line."""
    return f"HTTP {t.exchange.status}: {' '.join(said(t).split())}"


def documented(field: str) -> Source:
    """The API reference on one field of a request."""
    return Source(
        f"OpenAI API reference, {field}",
        f"https://platform.openai.com/docs/api-reference/chat/create#chat-create-{field}",
        "2026-11-30",
    )


# --- examples ---------------------------------------------------------------------------------------------------------


def history(*messages: Mapping[str, Any], tools: Any = ...) -> dict[str, Any]:
    """A request with these messages behind the user's; `tools=None` offers none."""
    offered = [WEATHER] if tools is ... else tools
    asked: dict[str, Any] = {"messages": [{"role": "user", "content": "Paris?"}, *messages], "stream": False}
    return asked if offered is None else {**asked, "tools": offered}


def turn(*calls: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An assistant message with text and calls; `content=...` leaves the content out."""
    message = past_turn(*(calls or (past_call(),)), **{"content": "Let me look.", **more})
    return {key: value for key, value in message.items() if value is not ...}


def offer(*tools: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A request that offers these tools."""
    return {"tools": list(tools), "stream": False, **more}


def function(name: str = "get_weather", parameters: Any = ..., **more: Any) -> dict[str, Any]:
    """A tool; without `parameters` it has those of `get_weather`, `None` leaves them out."""
    schema = WEATHER["function"]["parameters"] if parameters is ... else parameters
    inner = {"name": name, **more} if schema is None else {"name": name, "parameters": schema, **more}
    return {"type": "function", "function": inner}


def answered(request: Request) -> Example:
    """The request, answered with a text."""
    return Example(GOOD_TEXT_COMPLETE.body, dict(request))


def refused(request: Request, message: str, param: str | None = None, status: int = 400) -> Example:
    """The request, rejected in these words."""
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": None}
    return Example(json.dumps({"error": error}), dict(request), status=status)


__all__ = [
    "NAMED",
    "PARIS",
    "accepted",
    "answered",
    "documented",
    "function",
    "history",
    "offer",
    "past_call",
    "past_result",
    "refused",
    "rejected",
    "short",
    "turn",
]
