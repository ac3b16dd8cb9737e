"""Turn the examples of a declaration into exchanges."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from conformance.model import End, EndKind, Exchange, Mode
from conformance.quirks.registry import Example
from conformance.wire.body import kind_of
from conformance.wire.read import read
from conformance.wire.shape import shape_of
from conformance.wire.transcript import Transcript

_ENDS: dict[str, EndKind] = {
    "end": "end",
    "reset": "reset",
    "early-end": "early-end",
    "timeout": "timeout",
}


def exchange_of(example: Example, source: str = "example") -> Exchange:
    """The exchange an example stands for; what it does not say is as an honest server would have it."""
    body = example.body.encode("utf-8", "surrogatepass")
    sse = kind_of(body) == "sse"
    request: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "-"}], **(example.request or {})}
    request.setdefault("stream", sse)
    asked: Mode = "stream" if request["stream"] else "complete"
    headers = {"content-type": "text/event-stream" if sse else "application/json", **(example.headers or {})}
    return Exchange(
        source=source,
        body=body,
        status=example.status,
        headers=headers,
        request=request,
        asked_mode=asked,
        ended=End(_ENDS[example.ended]),
    )


def transcript_of(example: Example) -> Transcript:
    """What an example shows, with the shape of its twin."""
    transcript = read(exchange_of(example))
    if example.twin:
        transcript.twin = shape_of(read(exchange_of(replace(example, body=example.twin))))
    return transcript
