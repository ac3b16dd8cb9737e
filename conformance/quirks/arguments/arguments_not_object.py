"""Arguments parse to something other than an object.

An array, a string, a number or null cannot be the arguments of a function.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.arguments._classify import classify
from conformance.quirks.common import GOOD_COMPLETE, GOOD_STREAM, api, complete, entry, issue, of_call
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    layer="model",
    needs=["calls"],
    assembled=True,
    sources=[issue("mckaywrigley/chatbot-ui#2035"), api("chat")],
    seen=[],
    expected="text that parses to a JSON object",
    guard="Do not run the call; answer it with an error result that says what is wrong, and let the model try again.",
    report="`function.arguments` parses to something other than an object.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[
        complete(entry(..., "call_a1", "get_weather", '["Paris"]')),
        complete(entry(..., "call_a1", "get_weather", "null")),
    ],
)
def arguments_not_object(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if classify(call) == "not-object":
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: its arguments are no JSON object",
                call.arguments[:120],
                call=call,
                event=event,
                pointer=pointer,
            )
