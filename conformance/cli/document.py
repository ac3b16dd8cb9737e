"""The JSON document of `inspect` (DESIGN §6.1): others script against it."""

from __future__ import annotations

from typing import Any

from conformance.model import Finding
from conformance.quirks import Verdict
from conformance.wire.transcript import Call, Transcript


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
                **{"function_call": _call(call) for call in c.calls if legacy and call.legacy},
            }
            for c in transcript.choices
        ],
        "usage": transcript.usage,
        "error": transcript.error,
        "findings": [finding_document(finding) for finding in verdict.findings],
    }


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


def finding_document(finding: Finding) -> dict[str, Any]:
    """One finding, as in the inspect document and the run record."""
    return {
        "quirk": finding.quirk,
        "level": finding.level,
        "layer": finding.layer,
        "message": finding.message,
        "expected": finding.expected,
        "actual": finding.actual,
        "count": finding.count,
        "where": {"event": finding.where.event, "byte": finding.where.byte, "pointer": finding.where.pointer},
        "choice": finding.choice,
        "call": finding.call,
    }
