"""`tool_calls` is neither an array nor null.

Clients iterate over it: over the keys of an object, or the characters of a string.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, PARIS, api, complete, spelled
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["choices"],
    sources=[api()],
    expected="an array",
    guard="Read a single object as an array of one.",
    report="`tool_calls` is not an array.",
    good=[GOOD_COMPLETE],
    bad=[
        complete(
            tool_calls={"id": "call_a1", "type": "function", "function": {"name": "get_weather", "arguments": PARIS}}
        )
    ],
)
def tool_calls_not_array(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.TOOL_CALLS_NOT_ARRAY)
        if mark is not None:
            yield Hit(f"`tool_calls` is of type {spelled(mark)}", str(mark.sample), mark, choice=choice)
