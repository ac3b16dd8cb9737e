"""An event's data is JSON, but not an object.

Clients look for `choices` in it and fail.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, api, counted, events
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["answer"],
    sources=[api()],
    expected="a JSON object",
    guard="Skip events that are not objects.",
    report="The body or an event of the stream is JSON, but not an object.",
    good=[GOOD_STREAM],
    bad=[Example(events("null") + GOOD_STREAM.body, TOOLS), Example("[1]", {**TOOLS, "stream": False})],
)
def event_not_object(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.NOT_OBJECT)
    if mark is not None and "array" not in mark.spellings:
        yield Hit(f"{counted(mark.count, 'document is no object', 'documents are no objects')}", str(mark.sample), mark)
