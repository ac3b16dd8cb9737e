"""The server fails with HTTP 500 on a request that OpenAI accepts.

The request is legal, the answer is an internal error: mostly a parser that cannot cope with what the model wrote. The
call is lost, and asking again the same way fails again. Where the request holds something that a server may reject, the
error counts less, but it is still no way to say so: clients repeat a request that ended in HTTP 500.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.asked import traits
from conformance.quirks.common import GOOD_STREAM, TOOLS
from conformance.quirks.registry import Example, Hit, Source, quirk
from conformance.quirks.traits import PHRASES, REFUSABLE
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["request"],
    sources=[
        Source(
            "OpenAI API reference, create chat completion",
            "https://platform.openai.com/docs/api-reference/chat/create",
            "2026-11-30",
        )
    ],
    expected="an answer, or a 4xx that names the field",
    guard="Ask again once; then ask for a stream, or without tools.",
    report="A legal request is answered with HTTP 500.",
    good=[GOOD_STREAM],
    bad=[Example("Internal Server Error", TOOLS, {"content-type": "text/plain"}, status=500)],
)
def server_error(t: Transcript) -> Iterator[Hit]:
    if t.exchange.status == 500:
        said = t.error.get("message") if t.error else t.body[:120].decode("utf-8", "replace")
        unusual = [PHRASES[trait] for trait in traits(t.asked) if trait in REFUSABLE]
        over = f" on {', '.join(unusual)}" if unusual else ""
        yield Hit(
            f"the server fails with HTTP 500{over}", f"HTTP 500: {said}"[:200], level="should" if unusual else None
        )
