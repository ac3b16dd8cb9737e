"""The server rejects an empty tool result.

A tool that prints nothing has the empty string as its result.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, history, past_result, refused, rejected, turn
from conformance.wire.transcript import Transcript

_REQUEST = history(turn(), past_result(content=""))


@quirk(
    level="should",
    needs=["result-empty"],
    sources=[documented("messages")],
    seen=[issue("jlevy/markform#153"), issue("SAP/ai-sdk-js#2188")],
    expected="an answer",
    guard="Send a word such as `done` instead.",
    report="A tool message whose content is an empty string is rejected.",
    good=[answered(_REQUEST)],
    bad=[refused(_REQUEST, "messages.2.content: content cannot be empty")],
)
def result_empty_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "result-empty")
