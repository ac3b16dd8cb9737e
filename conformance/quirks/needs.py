"""What an exchange must offer before a quirk can show in it; anything less is *not applicable*."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal

from conformance.quirks.asked import made_up, traits
from conformance.quirks.probe import shown
from conformance.quirks.rejection import blamed
from conformance.quirks.traits import Trait
from conformance.quirks.twins import pairs
from conformance.wire.transcript import Transcript

Basic = Literal[
    "answer",  # HTTP 2xx and a body that is an answer (SSE or JSON), not an error status
    "choices",  # an answer with at least one choice
    "calls",  # at least one call came
    "two-calls",  # at least two calls came in one choice
    "continuations",  # a call came in more than one entry (stream)
    "no-error",  # no error object came
    "finished",  # the answer is complete: a finish reason or [DONE], no cut
    "whole",  # the source holds the body from first to last byte
    "framing",  # SSE framing is as sent
    "presence",  # absent and null are told apart
    "text",  # JSON text is as sent
    "ids",  # ids are the server's own
    "headers",  # response headers were kept
    "wire",  # the answer is the server's own, not put together by a client or gateway
    "asked-stream",  # a stream was asked for
    "asked-complete",  # no stream was asked for
    "asked-none",  # tool_choice: none
    "asked-required",  # tool_choice: required
    "asked-named",  # tool_choice names a function
    "asked-one-call",  # parallel_tool_calls: false
    "asked-several",  # n above 1
    "asked-usage",  # stream_options.include_usage
    "twin-call",  # a whole answer, and one in the other mode to the same request: a call came in one of them at least
    "twin-calls",  # the same, and calls came in both
    "twin-reasoning",  # the same, and reasoning came in both
    "twin-usage",  # the same, and the stream carries usage or was to carry it
    "strict-tools",  # a tool with strict: true is offered
    "request",  # the request body is known
    "tools",  # the request is known and offers tools
    "history",  # the request's messages hold a tool call or a tool result
    "own-ids",  # no scenario made the ids of its calls up, so that they can be the server's
    "link-other-order",  # a link probe (quirks/probe.py) with results in the other order, and told which is whose
    "link-unknown-id",  # a link probe with a result that names no call, and rejected or told what became of it
    "link-empty-ids",  # a link probe with empty ids, and rejected or told which result is whose
]
Need = Basic | Trait
"""A trait is offered where the answer shows what the server made of it: it answered, or rejected just that."""


def _answer(t: Transcript) -> bool:
    status = t.exchange.status
    return (status is None or 200 <= status < 300) and t.kind in ("sse", "json")


NEEDS: Final[Mapping[Basic, Callable[[Transcript], bool]]] = {
    "answer": _answer,
    "choices": lambda t: _answer(t) and bool(t.choices),
    "calls": lambda t: any(choice.calls for choice in t.choices),
    "two-calls": lambda t: any(len(choice.calls) > 1 for choice in t.choices),
    "continuations": lambda t: any(call.last != call.opened for call in t.calls),
    "no-error": lambda t: t.error is None,
    "finished": lambda t: t.complete,
    "whole": lambda t: t.exchange.fidelity.whole,
    "framing": lambda t: t.exchange.fidelity.framing,
    "presence": lambda t: t.exchange.fidelity.presence,
    "text": lambda t: t.exchange.fidelity.text,
    "ids": lambda t: t.exchange.fidelity.ids,
    "headers": lambda t: t.exchange.fidelity.headers,
    "wire": lambda t: t.exchange.fidelity.wire,
    "asked-stream": lambda t: t.exchange.asked_mode == "stream",
    "asked-complete": lambda t: t.exchange.asked_mode == "complete",
    "asked-none": lambda t: t.asked.tool_choice == "none",
    "asked-required": lambda t: t.asked.tool_choice == "required",
    "asked-named": lambda t: t.asked.tool_choice == "named",
    "asked-one-call": lambda t: t.asked.parallel is False,
    "asked-several": lambda t: (t.asked.n or 1) > 1,
    "asked-usage": lambda t: t.asked.include_usage,
    "twin-call": lambda t: any(here.calls or there.calls for here, there in pairs(t)),
    "twin-calls": lambda t: any(here.calls and there.calls for here, there in pairs(t)),
    "twin-reasoning": lambda t: any(here.reasoning and there.reasoning_field for here, there in pairs(t)),
    "twin-usage": lambda t: any(pairs(t)) and (t.asked.include_usage or t.usage is not None),
    "strict-tools": lambda t: any(tool.strict for tool in t.asked.tools.values()),
    "request": lambda t: t.asked.known,
    "tools": lambda t: bool(t.asked.tools),
    "history": lambda t: any(m.get("role") == "tool" or m.get("tool_calls") for m in t.asked.messages),
    "own-ids": lambda t: not made_up(t.asked),
    "link-other-order": lambda t: shown(t) == "other-order",
    "link-unknown-id": lambda t: shown(t) == "unknown-id",
    "link-empty-ids": lambda t: shown(t) == "empty-ids",
}


def offers(transcript: Transcript) -> frozenset[Need]:
    """Everything of the above that this exchange offers."""
    basic = [need for need, holds in NEEDS.items() if holds(transcript)]
    return frozenset([*basic, *_decided(transcript)])


def _decided(t: Transcript) -> Iterable[Trait]:
    if _answer(t):
        return traits(t.asked) if t.choices and t.error is None else ()
    rejected = blamed(t)
    return () if rejected is None else (rejected,)
