"""Content follows the calls in a stream.

Legal, but a client that ends the turn at the first call loses the text.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, calls, counted, entry, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["calls"],
    sources=[reference("001", "rules that prevent bugs")],
    expected="content before the calls",
    guard="Read to the end of the stream.",
    report="",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", PARIS)), {"content": "One moment."})],
)
def content_after_calls(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.CONTENT_AFTER_CALLS)
        if mark is not None:
            yield Hit(
                f"{counted(mark.count, 'piece of content follows', 'pieces of content follow')} the calls",
                choice.content[-80:],
                mark,
                choice=choice,
            )
