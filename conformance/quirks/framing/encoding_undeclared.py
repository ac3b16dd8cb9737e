"""The body is compressed without saying so.

Clients decode by the header: they find bytes that are no text.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, HTTP_STANDARD, TOOLS
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    layer="gateway",
    needs=["headers"],
    sources=[HTTP_STANDARD],
    expected="`content-encoding` naming the coding, or an uncompressed body",
    guard="Ask for `accept-encoding: identity`.",
    report="The body is compressed, but `content-encoding` does not say so, or says something else.",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body, TOOLS, {"content-encoding": "gzip"})],
)
def encoding_undeclared(t: Transcript) -> Iterator[Hit]:
    for fact, what in ((Fact.ENCODING_UNDECLARED, "compressed undeclared"), (Fact.ENCODING_FALSE, "declared, but not")):
        mark = t.facts.get(fact)
        if mark is not None:
            yield Hit(f"the body is {what} {mark.sample}", str(mark.sample), mark)
