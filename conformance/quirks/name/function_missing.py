"""The first entry of a call has no `function` object.

Clients that read `entry.function.name` without looking fail on the chunk.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import (
    GOOD_STREAM,
    PARIS,
    api,
    calls,
    complete,
    entry,
    marked,
    of_call,
    reference,
    spelled,
    stream,
)
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["calls"],
    sources=[reference("000", "§1"), api()],
    expected="a `function` object with the name",
    guard="Read through an absent or null `function` as if it were empty.",
    guard_python="name = entry.function.name if entry.function else None",
    guard_typescript="const name = entry.function?.name;",
    report="The first delta of a tool call has no `function` object.",
    good=[GOOD_STREAM],
    bad=[
        stream(calls(entry(0, "call_a1")), calls(entry(0, ..., "get_weather", PARIS))),
        complete({"id": "call_a1", "type": "function", "function": None}),
    ],
    also={"name-late", "name-missing"},
)
def function_missing(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.FUNCTION_MISSING_OPENING):
        yield Hit(f"{of_call(call)}: no function object ({spelled(mark)})", f"function {spelled(mark)}", mark, call)
