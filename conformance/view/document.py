"""The JSON document of `inspect` (DESIGN §6.1): others script against it."""

from __future__ import annotations

import json
from typing import Any, Final

import orjson

from conformance.quirks import Verdict
from conformance.run.rows import finding_document
from conformance.wire.transcript import Call, Transcript

_DEEPEST: Final = 100
"""Levels of a value that the document shows; readers of JSON refuse what is nested without end."""


def exchange_document(transcript: Transcript, verdict: Verdict) -> dict[str, Any]:
    """One exchange of the inspect document.

    A legacy `function_call` is one of the `calls`, with id `""`. Where the request itself speaks the legacy protocol
    (`functions`, no `tools`), it is no tool call: it stands as `function_call` at its choice instead.
    """
    exchange = transcript.exchange
    asked = transcript.asked.body
    legacy = bool(asked.get("functions")) and not asked.get("tools")
    first = transcript.choices[0] if transcript.choices else None
    return {
        "source": exchange.source,
        "mode": transcript.mode,
        "asked_mode": exchange.asked_mode,
        "status": exchange.status,
        "complete": transcript.complete,
        "calls": [_call(call) for call in transcript.calls if not (legacy and call.legacy)],
        "content": first.content if first is not None else "",
        "finish_reason": transcript.finish_reason,
        "choices": [
            {
                "index": c.index,
                "content": c.content,
                "finish_reason": c.finish_reason,
                **(_legacy(c.calls) if legacy else {}),
            }
            for c in transcript.choices
        ],
        "usage": transcript.usage,
        "error": transcript.error,
        "findings": [finding_document(finding) for finding in verdict.findings],
    }


def _legacy(calls: list[Call]) -> dict[str, Any]:
    found = [_call(call) for call in calls if call.legacy]
    return {"function_call": found[-1]} if found else {}


def _call(call: Call) -> dict[str, Any]:
    return {
        "choice": call.choice,
        "index": call.index,
        "wire_index": call.wire_index,
        "id": call.id,
        "other_ids": call.other_ids,
        "name": call.name,
        "arguments": call.arguments,
        "usable": call.usable,
        "extra": call.extra,
    }


def dumps(document: Any, *, line: bool = False) -> bytes:
    """A document as JSON, whatever a server put into it; indented, or on one line.

    Halves of surrogate pairs become U+FFFD and NaN becomes null, as neither can be written; integers keep all digits;
    what is nested deeper than any answer is cut.
    """
    try:
        return orjson.dumps(document, option=None if line else orjson.OPT_INDENT_2)
    except TypeError:
        return json.dumps(_writable(document, 0), ensure_ascii=False, indent=None if line else 2).encode()


def _writable(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, float):
        return value if value - value == 0 else None
    if depth == _DEEPEST and isinstance(value, dict | list | tuple):
        return "…"
    if isinstance(value, dict):
        return {_writable(str(k), depth): _writable(v, depth + 1) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(v, depth + 1) for v in value]
    return value
