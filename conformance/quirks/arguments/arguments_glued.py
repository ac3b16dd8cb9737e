"""Two objects stand glued together in one call's arguments.

Two calls were merged into one, on the wire or before it. Splitting them again is a guess: which id belongs to which?
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.arguments._classify import classify
from conformance.quirks.common import (
    GOOD_COMPLETE,
    GOOD_STREAM,
    PARIS,
    TOKYO,
    api,
    complete,
    entry,
    of_call,
    reference,
)
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    layer="server",
    needs=["calls"],
    sources=[reference("003"), api("chat")],
    seen=[],
    expected="text that parses to a JSON object",
    guard="Do not run the call; ask for one call at a time.",
    report="The arguments of one tool call hold two JSON objects in a row.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[complete(entry(..., "call_a1", "get_weather", PARIS + TOKYO))],
)
def arguments_glued(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if classify(call) == "glued":
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: its arguments hold more than one object",
                call.arguments[:160],
                call=call,
                event=event,
                pointer=pointer,
            )
