"""The server rejects a tool result that is an array of text parts.

The API reference allows a string or an array of text parts, and some agents send parts by default.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, history, past_result, refused, rejected, turn
from conformance.wire.transcript import Transcript

_REQUEST = history(turn(), {**past_result(), "content": [{"type": "text", "text": "mild"}]})


@quirk(
    level="should",
    needs=["result-array"],
    sources=[documented("messages")],
    seen=[issue("Neroued/ninfer#56", "ninfer", "2026-08-19")],
    expected="an answer",
    guard="Send the joined text as a string.",
    report="A tool message whose content is an array of text parts is rejected.",
    good=[answered(_REQUEST)],
    bad=[refused(_REQUEST, "messages[2]: invalid type: sequence, expected a string")],
)
def result_array_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "result-array")
