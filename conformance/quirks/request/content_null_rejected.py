"""The server rejects null content beside calls in the history.

The reference documents show exactly this message as what goes back: calls, and `content: null`. A server that wants a
string there ends every round trip after the first call.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue, reference
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, history, past_result, refused, rejected, turn
from conformance.wire.transcript import Transcript

_REQUEST = history(turn(content=None), past_result())


@quirk(
    level="should",
    needs=["content-null"],
    sources=[reference("000", "§3"), reference("001"), documented("messages")],
    seen=[
        issue("lmstudio-ai/lmstudio-bug-tracker#261", "lmstudio"),
        issue("Portkey-AI/gateway#995", "portkey", "2025-03-20"),
    ],
    expected="an answer",
    guard="Send an empty string where null is rejected.",
    report="A history is rejected because `content` is null beside `tool_calls`.",
    good=[answered(_REQUEST)],
    bad=[
        refused(
            _REQUEST, "Invalid value for 'messages[1].content': expected a string, got null.", "messages[1].content"
        )
    ],
)
def content_null_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "content-null")
