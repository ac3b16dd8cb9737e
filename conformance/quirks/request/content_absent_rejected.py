"""The server rejects absent content beside calls in the history.

Content is required unless there are calls, says the API reference, so that clients leave it out.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, history, past_result, refused, rejected, turn
from conformance.wire.transcript import Transcript

_REQUEST = history(turn(content=...), past_result())


@quirk(
    level="should",
    needs=["content-absent"],
    sources=[documented("messages")],
    seen=[
        issue("abetlen/llama-cpp-python#1805", "llama-cpp-python", "2024-10-21"),
        issue("langchain4j/langchain4j#540", date="2024-01-24"),
    ],
    expected="an answer",
    guard="Send `content: null`, or an empty string.",
    report="A history is rejected because an assistant message with `tool_calls` has no `content`.",
    good=[answered(_REQUEST)],
    bad=[refused(_REQUEST, "messages[1]: missing field `content` at line 1 column 310")],
)
def content_absent_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "content-absent")
