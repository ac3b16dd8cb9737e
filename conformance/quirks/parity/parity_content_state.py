"""Beside calls, `content` is null in one mode and an empty string in the other.

Both are legal. What goes back in the history differs with the mode, and some servers reject one of the two.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, PARIS, beside, calls, complete, entry, reference, stream
from conformance.quirks.parity._common import GOOD_BOTH, OTHER_VALUE
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.twins import pairs
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["twin-calls", "presence"],
    sources=[reference("000", "§3")],
    expected="null in both modes",
    guard="Send null back in the history, whatever came.",
    report="",
    good=[
        GOOD_BOTH,
        OTHER_VALUE,
        beside(stream(calls(entry(0, "call_a1", "get_weather", PARIS), content="Hm.")), GOOD_COMPLETE),
    ],
    bad=[
        beside(
            stream(calls(entry(0, "call_a1", "get_weather", PARIS))),
            complete(entry(..., "call_a1", "get_weather", PARIS), content=""),
        ),
        beside(stream(calls(entry(0, "call_a1", "get_weather", PARIS), content="")), GOOD_COMPLETE),
    ],
)
def parity_content_state(t: Transcript) -> Iterator[Hit]:
    for choice, there in pairs(t):
        if not choice.calls or not there.calls or choice.content or there.content == "text":
            continue
        here = "null" if choice.content_null else '""'
        other = '""' if there.content == "empty" else "null"
        if here != other:
            first = choice.calls[0]
            yield Hit(
                f"content is {here} in the stream, {there.content if other == 'null' else other} with `stream: false`",
                f"content {here}",
                choice=choice,
                event=first.opened[0],
                pointer=first.opened[1].partition("/tool_calls")[0],
            )
