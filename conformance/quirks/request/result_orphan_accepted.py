"""The server accepts a result without a call.

OpenAI rejects a tool message that follows no call. Whoever accepts it lets the model read a result of nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import reference
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import accepted, answered, documented, history, past_result, turn
from conformance.wire.transcript import Transcript

_REQUEST = history({"role": "assistant", "content": "Let me look."}, past_result())


@quirk(
    level="info",
    needs=["result-orphan"],
    sources=[reference("000", "§3, §8"), documented("messages")],
    expected="an error that names the message",
    guard="Send a result right behind its call.",
    report="",
    good=[answered(history(turn(), past_result()))],
    bad=[answered(_REQUEST)],
    also=["result-orphan"],
)
def result_orphan_accepted(t: Transcript) -> Iterator[Hit]:
    yield from accepted(t, "result-orphan")
