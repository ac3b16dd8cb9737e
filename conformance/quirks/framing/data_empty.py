"""An event has empty data.

Clients that decode every event fail on the empty string.
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
    expected="data in every event that has a data line",
    guard="Skip events whose data is empty.",
    report="",
    good=[GOOD_STREAM],
    bad=[Example("data:\n\n" + GOOD_STREAM.body, TOOLS)],
)
def data_empty(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.DATA_EMPTY)
    if mark is not None:
        yield Hit(f"{counted(mark.count, 'event has', 'events have')} empty data", "empty data", mark)
