"""The content type does not fit the body.

Clients and proxies decide by it whether to stream: a stream labelled as JSON is buffered, or fails to parse.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, GOOD_STREAM, HTTP_STANDARD, SSE_STANDARD, TOOLS
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["answer", "headers"],
    sources=[SSE_STANDARD, HTTP_STANDARD],
    expected="`text/event-stream` for a stream, `application/json` for a complete answer",
    guard="Decide by what was asked for, not by the header.",
    report="The response's content type does not match its body.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[
        Example(GOOD_STREAM.body, TOOLS, {"content-type": "application/json"}),
        Example(GOOD_COMPLETE.body, {**TOOLS, "stream": False}, {"content-type": "text/plain"}),
    ],
)
def content_type_wrong(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.CONTENT_TYPE)
    if mark is None:
        return
    media = str(mark.sample).partition(";")[0].strip().lower()
    fits = media == "text/event-stream" if t.mode == "stream" else media.endswith("json")
    if not fits:
        wanted = "text/event-stream" if t.mode == "stream" else "application/json"
        yield Hit(f"the content type is {media or 'empty'}", media, mark, expected=f"`{wanted}`")
