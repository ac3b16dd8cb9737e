"""The argument text runs away into white space.

Constrained decoding allows white space between tokens; some models then write nothing else up to the limit.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.arguments._classify import classify
from conformance.quirks.common import GOOD_COMPLETE, GOOD_STREAM, JSON_STANDARD, calls, entry, issue, of_call, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    layer="server",
    needs=["calls"],
    assembled=True,
    sources=[JSON_STANDARD, issue("cloudrift-ai/emmy#819")],
    seen=[issue("guidance-ai/llguidance#267"), issue("jundot/omlx#2990")],
    expected="text that parses to a JSON object",
    guard="Stop reading after some hundred characters of white space; do not run the call.",
    report="Under constrained decoding the arguments fill up with white space until the token limit.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", '{"city":' + "\n" * 80)), finish="length")],
)
def arguments_whitespace_runaway(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if classify(call) == "whitespace-runaway":
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: its arguments end in a run of white space",
                repr(call.arguments[-60:]),
                call=call,
                event=event,
                pointer=pointer,
            )
