"""A stream ends without `[DONE]`.

With a finish reason the answer is known to be whole; without `[DONE]` a client that waits for it hangs until the
connection closes, and one that retries without it runs the turn twice.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, GOOD_TEXT, PARIS, api, calls, entry, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["answer", "whole", "framing", "no-error"],
    sources=[reference("001", "rules that prevent bugs"), api()],
    expected="`data: [DONE]` as the last event",
    guard="Take the finish reason of every choice as the end; ask again if neither came.",
    report="The stream ends without `data: [DONE]`.",
    good=[GOOD_STREAM, GOOD_TEXT],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", PARIS)), done=False)],
)
def done_missing(t: Transcript) -> Iterator[Hit]:
    if Fact.DONE not in t.facts and not t.cut:
        yield Hit("the stream ends without `[DONE]`", f"{t.events} events, none of them `[DONE]`", event=t.events - 1)
