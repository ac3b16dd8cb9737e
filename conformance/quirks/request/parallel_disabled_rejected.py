"""The server rejects `parallel_tool_calls: false`.

The API reference documents the field. An agent that runs one call at a time asks for it with every request.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, function, offer, refused, rejected
from conformance.wire.transcript import Transcript

_REQUEST = offer(function(), parallel_tool_calls=False)


@quirk(
    level="should",
    needs=["parallel-disabled"],
    sources=[documented("parallel_tool_calls")],
    seen=[
        issue("evalstate/fast-agent#279", "openai", "2025-07-14"),
        issue("stdapi-ai/stdapi.ai#90", "stdapi", "2026-07-29"),
    ],
    expected="an answer with one call at most",
    guard="Leave the field out, and answer every call that comes.",
    report="`parallel_tool_calls: false` is rejected.",
    good=[answered(_REQUEST)],
    bad=[
        refused(
            _REQUEST,
            "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
            "parallel_tool_calls",
        )
    ],
)
def parallel_disabled_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "parallel-disabled")
