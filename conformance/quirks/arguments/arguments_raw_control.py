"""Arguments hold unescaped control characters.

A line break inside a JSON string has to be escaped; strict decoders reject the text.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.arguments._classify import classify
from conformance.quirks.common import GOOD_COMPLETE, GOOD_STREAM, JSON_STANDARD, complete, entry, of_call
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    layer="model",
    needs=["calls"],
    assembled=True,
    sources=[JSON_STANDARD],
    seen=[],
    expected="text that parses to a JSON object",
    guard="Parse strictly; where only control characters are wrong, a lenient decoder may be used knowingly.",
    report="Strings in `function.arguments` hold unescaped control characters.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[complete(entry(..., "call_a1", "get_weather", '{"city":"Par\nis"}'))],
)
def arguments_raw_control(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if classify(call) == "raw-control":
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: its arguments hold an unescaped control character",
                repr(call.arguments[:120]),
                call=call,
                event=event,
                pointer=pointer,
            )
