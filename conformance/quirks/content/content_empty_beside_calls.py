"""`content` is an empty string beside calls.

Legal. Some servers reject it when it comes back in the history, where they want null.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, PARIS, complete, entry, reference
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["complete"],
    needs=["calls"],
    sources=[reference("000", "§3")],
    expected="null",
    guard="Send null back in the history.",
    report="",
    good=[GOOD_COMPLETE],
    bad=[complete(entry(..., "call_a1", "get_weather", PARIS), content="")],
)
def content_empty_beside_calls(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.CONTENT_EMPTY_BESIDE_CALLS)
        if mark is not None:
            yield Hit("content is an empty string", 'content ""', mark, choice=choice)
