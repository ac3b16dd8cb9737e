"""The finish chunk also carries content or calls.

Legal. Clients that look at the finish reason before the delta lose the last piece.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, TOOLS, calls, chunk, entry, events, reference
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["choices"],
    sources=[reference("000", "§1, final chunk")],
    expected="an empty delta beside the finish reason",
    guard="Read the delta before the finish reason.",
    report="",
    good=[GOOD_STREAM],
    bad=[
        Example(
            events(
                chunk(calls(entry(0, "call_a1", "get_weather", ""), role="assistant", content=None)),
                chunk(calls(entry(0, arguments=PARIS)), "tool_calls"),
                "[DONE]",
            ),
            TOOLS,
        )
    ],
)
def delta_on_finish_chunk(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.FINISH_WITH_DELTA)
        if mark is not None:
            yield Hit("the finish chunk carries a delta", " and ".join(mark.spellings), mark, choice=choice)
