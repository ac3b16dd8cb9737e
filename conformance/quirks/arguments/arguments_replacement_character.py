"""Strings in the arguments hold the replacement character U+FFFD.

The server cut a character between two tokens and replaced its halves; the text is damaged for good.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.arguments._strings import strings
from conformance.quirks.common import GOOD_STREAM, JSON_STANDARD, complete, entry, of_call
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["calls"],
    assembled=True,
    sources=[JSON_STANDARD],
    expected="whole characters",
    guard="Do not run a call whose strings hold U+FFFD; ask again.",
    report="Characters of several bytes arrive as U+FFFD in the argument strings.",
    good=[GOOD_STREAM],
    bad=[complete(entry(..., "call_a1", "get_weather", '{"city":"Z\ufffd\ufffdrich"}'))],
)
def arguments_replacement_character(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        for path, text in strings(call.value):
            if "\ufffd" in text:
                event, pointer = call.arguments_first or call.opened
                yield Hit(
                    f"{of_call(call)}: the string at {path} holds U+FFFD",
                    text[:80],
                    call=call,
                    event=event,
                    pointer=pointer,
                )
                break
