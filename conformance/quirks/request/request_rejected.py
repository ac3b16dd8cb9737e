"""The server rejects a request that OpenAI accepts.

Whether it is right to do so depends on what it claims to support; the client needs another request.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS
from conformance.quirks.registry import Example, Hit, Source, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    needs=["request"],
    sources=[
        Source(
            "OpenAI API reference, create chat completion",
            "https://platform.openai.com/docs/api-reference/chat/create",
            "2026-11-30",
        )
    ],
    expected="an answer",
    guard="Read the error message; it mostly names the field.",
    report="",
    good=[GOOD_STREAM],
    bad=[Example('{"error":{"message":"tool_choice is not supported","code":400}}', TOOLS, status=400)],
)
def request_rejected(t: Transcript) -> Iterator[Hit]:
    status = t.exchange.status
    if status in (400, 415, 422, 501):
        said = t.error.get("message") if t.error else t.body[:120].decode("utf-8", "replace")
        yield Hit(f"the request is rejected with HTTP {status}", f"HTTP {status}: {said}"[:200])
