"""A call with a higher index opens before one with a lower index.

Legal: the index is a key. Sort by it at the end, so that the order of results is the same every time.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from conformance.quirks.common import GOOD_PARALLEL, PARIS, TOKYO, calls, entry, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["two-calls"],
    sources=[reference("000", "§2")],
    expected="calls that open in the order of their indexes",
    guard="Sort the calls by index at the end.",
    guard_python="calls = [calls[i] for i in sorted(calls)]",
    report="",
    good=[GOOD_PARALLEL],
    bad=[
        stream(
            calls(entry(1, "call_b2", "get_weather", TOKYO)),
            calls(entry(0, "call_a1", "get_weather", PARIS)),
        )
    ],
)
def index_out_of_order(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        indexed = [c for c in choice.calls if c.wire_index is not None and c.opened[0] is not None]
        for before, call in itertools.pairwise(indexed):
            if (call.opened[0] or 0) < (before.opened[0] or 0):
                yield Hit(
                    f"index {call.wire_index} opens before index {before.wire_index}",
                    f"index {call.wire_index} first",
                    call=call,
                    event=call.opened[0],
                    pointer=f"{call.opened[1]}/index",
                )
