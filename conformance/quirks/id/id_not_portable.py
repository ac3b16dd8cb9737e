"""An id holds characters that other providers reject.

Anthropic accepts letters, digits, `_` and `-`. An id with a colon, a dot or a space makes every later request fail
once the conversation moves to such a provider, by a fallback or a switch of models.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, calls, entry, issue, of_call, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript

_PORTABLE = re.compile(r"[A-Za-z0-9_-]+")


@quirk(
    level="should",
    needs=["calls", "ids"],
    sources=[issue("maximhq/bifrost#5097"), issue("BlockRunAI/ClawRouter#17")],
    seen=[issue("langchain-ai/langchain#37756", "moonshot", "2026-05-28"), issue("sipeed/picoclaw#289", "moonshot")],
    expected="letters, digits, `_` and `-` only",
    guard="Keep the id as it is with this provider; map ids in both messages when a conversation changes provider.",
    report="Tool-call ids hold characters outside letters, digits, `_` and `-`, which other providers reject in a history.",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "functions.get_weather:0", "get_weather", PARIS)))],
)
def id_not_portable(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if call.id and not _PORTABLE.fullmatch(call.id):
            yield Hit(
                f"{of_call(call)}: its id is not portable",
                f"id {call.id!r}",
                call=call,
                event=call.opened[0],
                pointer=f"{call.opened[1]}/id",
            )
