"""Captures of the made-up server's answers, in the form in which people keep them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from conformance.faults import FAULTS
from conformance.faults.respond import respond
from conformance.model import Mode
from conformance.run.selftest import request_for

RECORDED: dict[str, Any] = {
    "repo": "somebody/agent",
    "path": "tests/recorded.yaml",
    "commit": "0123456789abcdef",
    "interaction": 0,
    "licence": "MIT",
}


def capture(fault: str, mode: Mode = "stream", **fields: Any) -> dict[str, Any]:
    """One exchange with the made-up server.

    Args:
        fault: what is planted in the answer.
        mode: `stream` or `complete`.
        fields: fields of the capture to set or replace.
    """
    request = request_for(FAULTS[fault], mode)
    wire = respond(request, FAULTS[fault])
    return {
        "provider": "made-up",
        "model": "made-up-model",
        "stream": mode == "stream",
        "request": request,
        "status": wire.status,
        "response_headers": dict(wire.headers),
        "response_body": wire.body.decode("utf-8"),
        "body_fidelity": "raw",
        "recorded": True,
        "recorded_at": "2026-03-01",
        "source": RECORDED,
        **fields,
    }


def everything() -> Iterator[dict[str, Any]]:
    """Every fault and legal variation that can be kept as text, by two providers and on several days."""
    number = 0
    for fault in FAULTS.values():
        for mode in fault.modes:
            try:
                yield capture(
                    fault.name,
                    mode,
                    provider=("alpha", "beta")[number % 2],
                    model=f"m{number % 3}",
                    recorded_at=f"2026-03-{number % 28 + 1:02}",
                )
            except UnicodeDecodeError:
                continue
            number += 1


def lines(captures: list[dict[str, Any]]) -> bytes:
    """JSON Lines."""
    return b"".join(json.dumps(one).encode("ascii") + b"\n" for one in captures)
