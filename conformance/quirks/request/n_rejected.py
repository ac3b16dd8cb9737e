"""The server rejects `n` above 1.

The API reference documents it. Servers with one slot, and gateways, answer one choice at a time.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, function, offer, refused, rejected
from conformance.wire.transcript import Transcript

_REQUEST = offer(function(), n=2)


@quirk(
    level="should",
    needs=["n"],
    sources=[documented("n")],
    seen=[issue("stanfordnlp/dspy#1155", "groq", "2024-06-14"), issue("langchain-ai/langchain#40590", "groq")],
    expected="`n` choices",
    guard="Ask several times.",
    report="`n: 2` is rejected.",
    good=[answered(offer(function()))],
    bad=[refused(_REQUEST, "n must be at most 1", "n")],
)
def n_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "n")
