"""The server rejects empty content beside calls in the history.

Many servers send an empty string beside calls themselves, and clients send back what came. A gateway that makes a
text block of it is refused by its upstream.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, history, past_result, refused, rejected, turn
from conformance.wire.transcript import Transcript

_REQUEST = history(turn(content=""), past_result())


@quirk(
    level="should",
    needs=["content-empty"],
    sources=[documented("messages")],
    seen=[issue("vercel/ai#13505"), issue("epam/ai-dial-adapter-bedrock#248", "bedrock", "2025-03-27")],
    expected="an answer",
    guard="Send null, or leave the field out.",
    report="A history is rejected because `content` is an empty string beside `tool_calls`.",
    good=[answered(_REQUEST)],
    bad=[refused(_REQUEST, "messages: text content blocks must be non-empty")],
)
def content_empty_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "content-empty")
