"""Events carry an `event:` or `id:` field.

Legal. Clients that read the default event only, as browsers do, miss named events.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, SSE_STANDARD, TOOLS, counted
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["framing"],
    sources=[SSE_STANDARD],
    expected="unnamed events",
    guard="Read the data whatever the event's name; look at the name for errors.",
    report="",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body.replace("data: {", "event: chunk\ndata: {"), TOOLS)],
)
def event_named(t: Transcript) -> Iterator[Hit]:
    for fact, field in ((Fact.EVENT_NAMED, "event"), (Fact.EVENT_ID, "id"), (Fact.EVENT_RETRY, "retry")):
        mark = t.facts.get(fact)
        if mark is not None:
            yield Hit(
                f"{counted(mark.count, 'line carries', 'lines carry')} the field `{field}:`",
                str(mark.sample or field),
                mark,
            )
