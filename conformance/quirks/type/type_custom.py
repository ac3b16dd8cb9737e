"""A call is of type `custom`.

Its input is free text, not JSON; a client that knows function calls only fails on it.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, api, complete, marked, of_call, reference
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    needs=["calls"],
    sources=[reference("000", "§6"), api("chat")],
    expected="a function call, unless custom tools were offered",
    guard="Look at the type before parsing the arguments.",
    report="",
    good=[GOOD_STREAM],
    bad=[
        complete(
            {"id": "call_a1", "type": "custom", "custom": {"name": "get_weather", "input": "Paris, please"}},
        )
    ],
)
def type_custom(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.TYPE_CUSTOM):
        yield Hit(f"{of_call(call)} is a custom call", "type custom", mark, call)
