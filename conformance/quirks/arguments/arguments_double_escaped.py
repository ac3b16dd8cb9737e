"""Strings in the arguments hold literal `\\u` escapes.

One escape layer too many: the tool receives backslashes and hexadecimal digits instead of the characters.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.arguments._strings import double_escaped, strings
from conformance.quirks.common import JSON_STANDARD, complete, entry, issue, of_call
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["calls"],
    assembled=True,
    sources=[JSON_STANDARD, issue("sgl-project/sglang#12626", "sglang")],
    seen=[issue("jundot/omlx#893")],
    expected="the characters, or escapes of one layer",
    guard="Look for `\\uXXXX` in decoded strings; do not decode them blindly, code may hold them on purpose.",
    report="Non-ASCII characters arrive as literal `\\uXXXX` text inside the decoded argument strings.",
    good=[complete(entry(..., "call_a1", "get_weather", '{"city":"\\u6771\\u4eac"}'))],
    bad=[complete(entry(..., "call_a1", "get_weather", '{"city":"\\\\u6771\\\\u4eac"}'))],
)
def arguments_double_escaped(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        for path, text in strings(call.value):
            if double_escaped(text):
                event, pointer = call.arguments_first or call.opened
                yield Hit(
                    f"{of_call(call)}: the string at {path} holds literal \\u escapes",
                    text[:80],
                    call=call,
                    event=event,
                    pointer=pointer,
                )
                break
