"""The server rejects a request that OpenAI accepts.

Whether it is right to do so depends on what it claims to support; the client needs another request. Where the error
names what it is about, the quirk about just that shows as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS
from conformance.quirks.registry import Example, Hit, Source, quirk
from conformance.quirks.rejection import blamed, is_rejection
from conformance.quirks.request._verdict import short
from conformance.quirks.traits import REFUSABLE
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
    if is_rejection(t) and blamed(t) not in REFUSABLE:
        yield Hit(f"the request is rejected with HTTP {t.exchange.status}", short(t))
