"""The body is not valid UTF-8.

Bytes of a character are lost or cut apart; readers replace them, and the text is damaged for good.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, JSON_STANDARD, SSE_STANDARD, TOOLS, counted
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["text"],
    sources=[SSE_STANDARD, JSON_STANDARD],
    expected="UTF-8",
    guard="Do not run a call whose text was not valid UTF-8.",
    report="The body holds bytes that are not UTF-8.",
    good=[GOOD_STREAM],
    also={"arguments-replacement-character"},
    bad=[Example(GOOD_STREAM.body.replace("Paris", "Par\ud800s"), TOOLS)],
)
def invalid_utf8(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.INVALID_UTF8)
    if mark is not None:
        yield Hit(f"{counted(mark.count, 'event is', 'events are')} not valid UTF-8", f"bytes {mark.sample}", mark)
