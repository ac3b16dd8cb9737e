"""From a request to the bytes of a response, with one fault planted in it."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from conformance.faults import honest
from conformance.faults.catalogue import Fault, Wire
from conformance.faults.edit import event
from conformance.model import Mode


def respond(request: Mapping[str, Any], fault: Fault | None = None) -> Wire:
    """Answer a request.

    Args:
        request: the request body.
        fault: what to plant; None for an honest answer. A fault that cannot show in the mode asked for is not planted,
            nor is one that finds nothing to change: a fault of calls, where the answer is a text.
    """
    if fault is not None:
        with contextlib.suppress(LookupError, ValueError, StopIteration):
            return _respond(request, fault)
    return _respond(request, None)


def _respond(request: Mapping[str, Any], fault: Fault | None) -> Wire:
    asked: Mode = "stream" if request.get("stream") else "complete"
    planted = fault if fault is not None and asked in fault.modes else None
    mode = planted.mode if planted is not None and planted.mode is not None else asked
    said = honest.answer(request)
    if planted is not None and planted.says is not None:
        other = planted.says(said)
        if isinstance(other, Wire):
            return other
        said = other
    headers = {"content-type": "text/event-stream" if mode == "stream" else "application/json"}
    if mode == "stream":
        chunks: list[Any] = copy.deepcopy(honest.chunks(said))
        if planted is not None and planted.stream is not None and planted.mode is None:
            chunks = planted.stream(chunks)
        wire = Wire(b"".join(event(c) for c in chunks) + event("[DONE]"), headers=headers)
    else:
        body = honest.body(said)
        if planted is not None and planted.complete is not None and planted.mode is None:
            body = planted.complete(body)
        elif fault is not None and fault.beside is not None:
            body = fault.beside(body)
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        wire = Wire(text.encode("utf-8", "surrogatepass"), headers=headers)
    if planted is not None and planted.wire is not None:
        wire = planted.wire(wire, mode)
        wire = replace(wire, headers={**headers, **wire.headers})
    return wire
