"""Arguments are not JSON.

The text does not parse, and fits no known kind of damage: pieces may be lost or out of order.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.arguments._classify import classify
from conformance.quirks.common import (
    GOOD_COMPLETE,
    GOOD_STREAM,
    api,
    calls,
    complete,
    entry,
    of_call,
    reference,
    stream,
)
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    layer="server",
    needs=["calls"],
    sources=[reference("000", "§4"), api("chat")],
    seen=[],
    expected="text that parses to a JSON object",
    guard="Do not run the call; answer it with an error result that says what is wrong, and let the model try again.",
    report="`function.arguments` is not JSON.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[
        complete(entry(..., "call_a1", "get_weather", "city = Paris")),
        stream(calls(entry(0, "call_a1", "get_weather", '"Paris"}')), calls(entry(0, arguments='{"city":'))),
    ],
)
def arguments_not_json(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if classify(call) == "not-json":
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: its arguments are not JSON",
                call.arguments[:120],
                call=call,
                event=event,
                pointer=pointer,
            )
