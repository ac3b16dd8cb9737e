"""Arguments hold NaN or Infinity.

Python's decoder takes them, every other one rejects the text, and so does the next request.
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
    guard="Parse strictly: refuse NaN and Infinity.",
    report="The arguments hold NaN or Infinity, which JSON does not know.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[complete(entry(..., "call_a1", "get_weather", '{"city":"Paris","height":NaN}'))],
)
def arguments_nan(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if classify(call) == "nan":
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: its arguments hold NaN or Infinity",
                call.arguments[:120],
                call=call,
                event=event,
                pointer=pointer,
            )
