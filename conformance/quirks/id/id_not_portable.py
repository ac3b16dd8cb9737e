"""An id holds characters that other providers reject.

Anthropic accepts letters, digits, `_` and `-`; an id with a colon, a dot or a space ends a conversation that changes
provider.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, calls, entry, of_call, stream
from conformance.quirks.registry import Hit, Source, quirk
from conformance.wire.transcript import Transcript

_PORTABLE = re.compile(r"[A-Za-z0-9_-]+")


@quirk(
    level="info",
    needs=["calls", "ids"],
    sources=[
        Source(
            "Anthropic API, tool use ids match ^[a-zA-Z0-9_-]+$",
            "https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use",
            "2026-11-30",
        )
    ],
    expected="letters, digits, `_` and `-` only",
    guard="Keep the id as it is with this provider; map ids in both messages when a conversation changes provider.",
    report="",
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
