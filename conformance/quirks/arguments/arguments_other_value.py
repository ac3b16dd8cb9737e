"""Arguments are sent as an array, a number or a boolean.

They cannot be the arguments of a function.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, api, complete, entry, marked, of_call, reference, spelled
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["calls"],
    sources=[reference("000", "§1, §6"), api()],
    expected="a string that holds a JSON object",
    guard="Do not run the call.",
    report="`function.arguments` is neither a string nor an object.",
    good=[GOOD_COMPLETE],
    bad=[complete(entry(..., "call_a1", "get_weather", ["Paris"]))],
    also={"arguments-not-object"},
)
def arguments_other_value(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.ARGUMENTS_VALUE, "array", "[]", "bool", "number"):
        yield Hit(f"{of_call(call)}: its arguments are sent as {spelled(mark)}", str(mark.sample), mark, call)
