"""Content and calls come in one turn.

Legal: show the text, and still run the calls. Clients that take either drop the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, calls, entry, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    needs=["calls"],
    assembled=True,
    sources=[reference("001", "rules that prevent bugs")],
    expected="content, calls, or both",
    guard="Show the text, and run the calls.",
    report="",
    good=[GOOD_STREAM],
    bad=[stream({"content": "Let me look."}, calls(entry(0, "call_a1", "get_weather", PARIS)))],
)
def content_and_calls(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        if choice.calls and choice.content.strip():
            yield Hit(
                "text stands beside the calls", choice.content[:100], choice=choice, event=choice.calls[0].opened[0]
            )
