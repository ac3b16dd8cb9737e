"""The last event with an answer in it lacks its blank line.

The standard drops such an event: a client that follows it never sees the finish reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, SSE_STANDARD, TOOLS, calls, entry, stream
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["whole", "framing"],
    sources=[SSE_STANDARD],
    expected="a blank line after every event",
    guard="At the end of the body, treat what is left as an event.",
    report="The last event of the stream is not ended by a blank line.",
    good=[GOOD_STREAM],
    bad=[Example(stream(calls(entry(0, "call_a1", "get_weather", PARIS)), done=False).body.rstrip("\n"), TOOLS)],
    also={"done-missing"},
)
def last_event_unterminated(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.LAST_EVENT_UNTERMINATED)
    if mark is not None and "data" in mark.spellings:
        yield Hit("the last event is not ended by a blank line", t.body[-40:].decode("utf-8", "replace"), mark)
