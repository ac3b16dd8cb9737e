"""An event's data stands on several lines.

Legal: they are joined by a line feed. Clients that take each line for an event fail.
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
    expected="data on one line or several",
    guard="Use a parser that follows the standard.",
    report="",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body.replace(',"choices"', ',\ndata: "choices"'), TOOLS)],
)
def data_multiline(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.DATA_MULTILINE)
    if mark is not None:
        yield Hit(f"{counted(mark.count, 'event has', 'events have')} several data lines", "several data lines", mark)
