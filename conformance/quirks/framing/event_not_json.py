"""An event's data is not JSON.

Clients decode every event and stop at the first that does not parse: all that follows is lost.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, api, counted, events, issue
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    modes=["stream"],
    needs=["answer"],
    sources=[api()],
    seen=[issue("mnfst/llm-gateway#2053")],
    expected="a JSON object or `[DONE]` in every event",
    guard="Skip events that do not parse, and count them; do not let one end the stream.",
    guard_python='try:\n    chunk = json.loads(data)\nexcept ValueError:\n    log.warning("not JSON: %r", data)\n    continue',
    report="An event of the stream is not JSON.",
    good=[GOOD_STREAM],
    bad=[Example(events("ping") + GOOD_STREAM.body, TOOLS), Example(events(": keep-alive") + GOOD_STREAM.body, TOOLS)],
)
def event_not_json(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.NOT_JSON)
    if mark is not None:
        comment = " (a comment wrapped as data)" if "comment" in mark.spellings else ""
        yield Hit(f"{counted(mark.count, 'event is', 'events are')} not JSON{comment}", str(mark.sample), mark)
