"""`[DONE]` is sent more than once.

A client that starts a new turn at each `[DONE]` runs the calls again.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, api, counted
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["framing"],
    sources=[api()],
    expected="one `[DONE]`",
    guard="Stop reading at the first `[DONE]`.",
    report="The stream holds `data: [DONE]` more than once.",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body + "data: [DONE]\n\n", TOOLS)],
)
def done_repeated(t: Transcript) -> Iterator[Hit]:
    count = t.facts.count(Fact.DONE)
    if count > 1:
        yield Hit(f"`[DONE]` is sent {counted(count, 'time')}", counted(count, "time"), t.facts[Fact.DONE])
