"""The continuation of a call comes under another index than its opening.

The argument text is filed under a call that was never opened, and the opened call stays without arguments. Which call
the text belongs to is a guess, unless the entry repeats the id.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import (
    GOOD_PARALLEL,
    PARIS,
    TOKYO,
    api,
    calls,
    counted,
    entry,
    issue,
    marked,
    of_call,
    reference,
    stream,
)
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    modes=["stream"],
    needs=["continuations"],
    sources=[reference("000", "§1"), api()],
    seen=[issue("agno-agi/agno#8879", "gemini")],
    expected="the index the call was opened with",
    guard="Do not run a call whose pieces came under different indexes; ask again, or ask for a complete answer.",
    report="Argument deltas of a call carry another `index` than the delta that opened it.",
    good=[GOOD_PARALLEL],
    bad=[
        stream(
            calls(entry(0, "call_a1", "get_weather", PARIS)),
            calls(entry(0, "call_b2", "get_weather", "")),
            calls(entry(1, arguments=TOKYO)),
        )
    ],
    also={"index-reused"},
)
def index_stray_tail(t: Transcript) -> Iterator[Hit]:
    for call, mark, count in marked(t, Fact.INDEX_STRAY_TAIL):
        yield Hit(
            f"{of_call(call)}: {counted(count, 'continuation comes', 'continuations come')} under index {mark.sample} instead of {call.wire_index}",
            f"index {mark.sample}",
            mark,
            call,
        )
