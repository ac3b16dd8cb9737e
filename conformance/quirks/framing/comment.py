"""The stream holds comment lines.

Legal, used as keep-alive. Clients must skip lines that begin with a colon.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, SSE_STANDARD, TOOLS, counted, issue
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["framing"],
    sources=[SSE_STANDARD],
    seen=[issue("theopenco/llmgateway#2334")],
    expected="comments, or none",
    guard="Skip lines that begin with a colon.",
    report="",
    good=[GOOD_STREAM],
    bad=[Example(": processing\n\n" + GOOD_STREAM.body, TOOLS)],
)
def comment(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.COMMENT)
    if mark is not None:
        yield Hit(counted(mark.count, "comment line"), str(mark.sample), mark)
