"""The call indexes skip a number.

Clients that keep calls in a list end with an empty entry, which they run, or fail on.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from conformance.quirks.common import GOOD_PARALLEL, PARIS, TOKYO, api, calls, entry, of_call, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["two-calls"],
    sources=[reference("000", "§1 parallel tool calls"), api()],
    expected="indexes 0, 1, 2, … without a gap",
    guard="Use the index as a key only, and drop entries that never got a name.",
    report="The indexes of parallel tool calls leave a gap; OpenAI numbers them 0, 1, 2, …",
    good=[GOOD_PARALLEL],
    bad=[
        stream(
            calls(entry(0, "call_a1", "get_weather", PARIS)),
            calls(entry(2, "call_b2", "get_weather", TOKYO)),
        )
    ],
)
def index_gap(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        indexed = [c for c in choice.calls if c.wire_index is not None]
        for before, call in itertools.pairwise(indexed):
            if (call.wire_index or 0) - (before.wire_index or 0) > 1:
                yield Hit(
                    f"{of_call(call)} is numbered {call.wire_index}, the one before it {before.wire_index}",
                    f"index {call.wire_index} after {before.wire_index}",
                    call=call,
                    event=call.opened[0],
                    pointer=f"{call.opened[1]}/index",
                )
