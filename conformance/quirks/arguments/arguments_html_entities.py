"""Strings in the arguments hold HTML entities.

`&lt;` where the model meant `<`: a shell command, code or a path arrives damaged.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.arguments._strings import html_escaped, strings
from conformance.quirks.common import JSON_STANDARD, complete, entry, issue, of_call
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["calls"],
    assembled=True,
    sources=[JSON_STANDARD, issue("openclaw/openclaw#35276")],
    seen=[issue("probelabs/probe#448"), issue("smg-project/smg#1888")],
    expected="the characters themselves",
    guard="Look for entities in strings without a literal `<` or `>`; unescape only where the tool expects no markup.",
    report="`<`, `>`, `&` or quotes arrive as HTML entities inside the argument strings.",
    good=[complete(entry(..., "call_a1", "get_weather", '{"city":"<b>Paris &amp; Rome</b>"}'))],
    bad=[complete(entry(..., "call_a1", "get_weather", '{"city":"Paris &amp; Rome &gt; all"}'))],
)
def arguments_html_entities(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        for path, text in strings(call.value):
            if html_escaped(text):
                event, pointer = call.arguments_first or call.opened
                yield Hit(
                    f"{of_call(call)}: the string at {path} holds HTML entities",
                    text[:80],
                    call=call,
                    event=event,
                    pointer=pointer,
                )
                break
