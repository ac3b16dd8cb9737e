"""An object in the arguments holds the same key twice.

Decoders keep the first, the last, or refuse; what runs depends on the language.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, JSON_STANDARD, complete, entry, of_call
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    layer="model",
    needs=["calls"],
    assembled=True,
    sources=[JSON_STANDARD],
    expected="every key once",
    guard="Refuse arguments with a repeated key.",
    report="`function.arguments` holds one key twice.",
    good=[GOOD_STREAM],
    bad=[complete(entry(..., "call_a1", "get_weather", '{"city":"Paris","city":"Tokyo"}'))],
)
def arguments_duplicate_key(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if call.duplicate_key:
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: the key {call.duplicate_key!r} stands twice in one object",
                call.arguments[:120],
                call=call,
                event=event,
                pointer=pointer,
            )
