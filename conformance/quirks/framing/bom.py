"""The body starts with a byte order mark.

Legal in an event stream, not in JSON. Clients that do not skip it lose the first event.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, JSON_STANDARD, SSE_STANDARD, TOOLS
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    needs=["framing"],
    sources=[SSE_STANDARD, JSON_STANDARD],
    expected="no byte order mark",
    guard="Skip it.",
    report="",
    good=[GOOD_STREAM],
    bad=[Example("\ufeff" + GOOD_STREAM.body, TOOLS)],
)
def bom(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.BOM)
    if mark is not None:
        yield Hit("the body starts with a byte order mark", "EF BB BF", mark)
