"""Exchanges to redact and to report: the fault server's, the catalogue's, and streams with something planted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from conformance.faults import FAULTS
from conformance.faults.respond import respond
from conformance.model import End, Exchange, Finding
from conformance.quirks import catalogue, judge
from conformance.quirks.examples import exchange_of
from conformance.run.selftest import request_for
from conformance.wire.read import read

KEY = "sk-made-up-0123456789ABCDEFGHIJ"
UNFORMED = "Wm5xQ8rT2vLk9pZc"  # a key that no form gives away
TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Ask the weather station.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


def corpus() -> Iterator[Exchange]:
    """Every fault and legal variation in each of its modes, and every example of the catalogue."""
    yield from served()
    for quirk in catalogue():
        for number, example in enumerate((*quirk.good, *quirk.bad)):
            yield exchange_of(example, f"{quirk.slug}.{number}#0")


def served() -> Iterator[Exchange]:
    """Every fault and legal variation in each of its modes."""
    for fault in FAULTS.values():
        for mode in fault.modes:
            request = request_for(fault, mode)
            wire = respond(request, fault)
            yield Exchange(
                source=f"{fault.name}.{mode}#0",
                body=wire.body,
                status=wire.status,
                headers=dict(wire.headers),
                request=request,
                asked_mode=mode,
                ended=End("early-end" if wire.cut else "end"),
            )


def verdict(exchange: Exchange) -> Counter[tuple[object, ...]]:
    """What is found, without the words it is told in."""
    return Counter(map(_bare, judge(read(exchange)).findings))


def _bare(finding: Finding) -> tuple[object, ...]:
    return finding.quirk, finding.level, finding.layer, finding.count, finding.where, finding.choice, finding.call


def streamed(deltas: Sequence[dict[str, Any]], **more: Any) -> Exchange:
    """A stream of these deltas, with an honest end."""
    choices = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    return of_choices([*choices, {"index": 0, "delta": {}, "finish_reason": "tool_calls"}], **more)


def of_choices(choices: Sequence[dict[str, Any]], *, coded: bool = False, **more: Any) -> Exchange:
    """A stream of chunks with one choice each."""
    chunks = [
        {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
        for choice in choices
    ]
    body = "".join(f"data: {json.dumps(chunk, ensure_ascii=coded)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
    request = {"model": "m", "messages": [{"role": "user", "content": "Paris?"}], "tools": [TOOL], "stream": True}
    return Exchange(
        **{"source": "planted#0", "body": body.encode(), "asked_mode": "stream", "request": request, **more}
    )


def entry(index: int | None, arguments: str, **more: Any) -> dict[str, Any]:
    """A delta with one entry of `tool_calls`; an index of None is left out."""
    place = {} if index is None else {"index": index}
    return {"tool_calls": [{**place, **more, "function": {"arguments": arguments}}]}


def opening(index: int | None, call_id: str = "call_1", arguments: str = "") -> dict[str, Any]:
    """The delta that opens a call."""
    place = {} if index is None else {"index": index}
    function = {"name": "get_weather", "arguments": arguments}
    return {"tool_calls": [{**place, "id": call_id, "type": "function", "function": function}]}
