"""A complete answer has no `content` key.

The reference requires it, be it null; typed clients reject the message, and it has to be sent back with the history.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, PARIS, api, complete, entry, reference
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["complete"],
    needs=["choices", "presence"],
    sources=[reference("000", "§3"), api("chat")],
    expected="`content`, null beside calls",
    guard="Send `content: null` back in the history.",
    report="Messages with tool calls come without `content`.",
    good=[GOOD_COMPLETE],
    bad=[complete(entry(..., "call_a1", "get_weather", PARIS), content=...)],
)
def content_missing(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.CONTENT_MISSING)
        if mark is not None:
            yield Hit("the message has no content key", "content absent", mark, choice=choice)
