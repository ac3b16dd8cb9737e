"""Two calls of one answer share an id.

Two results with the same `tool_call_id` cannot be told apart; the next request is rejected or misread.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import (
    GOOD_PARALLEL,
    PARIS,
    TOKYO,
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
    level="must",
    needs=["two-calls"],
    sources=[reference("000", "§0, §3"), api("chat")],
    expected="a different id for every call",
    guard="Do not run calls that share an id; ask for one call at a time (`parallel_tool_calls: false`).",
    report="Two tool calls of one answer have the same id.",
    good=[GOOD_PARALLEL],
    bad=[
        stream(
            calls(entry(0, "call_a1", "get_weather", PARIS)),
            calls(entry(1, "call_a1", "get_weather", TOKYO)),
        ),
        complete(
            entry(..., "call_a1", "get_weather", PARIS),
            entry(..., "call_a1", "get_weather", TOKYO),
        ),
    ],
)
def id_duplicated(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        seen: set[str] = set()
        for call in choice.calls:
            if call.id and call.id in seen:
                yield Hit(
                    f"{of_call(call)} has the id of an earlier call",
                    f"id {call.id!r}",
                    call=call,
                    event=call.opened[0],
                    pointer=f"{call.opened[1]}/id",
                )
            seen.add(call.id)
