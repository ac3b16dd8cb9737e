"""`[DONE]` lacks its blank line.

The standard drops the event; most clients look at lines and take it.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, SSE_STANDARD, TOOLS
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["whole", "framing"],
    sources=[SSE_STANDARD],
    expected="a blank line after every event",
    guard="At the end of the body, treat what is left as an event.",
    report="",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body.rstrip("\n"), TOOLS)],
)
def done_unterminated(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.LAST_EVENT_UNTERMINATED)
    if mark is not None and "done" in mark.spellings:
        yield Hit("`[DONE]` is not ended by a blank line", "data: [DONE]", mark)
