"""Usage comes on another chunk than one of its own at the end.

Legal variations: on the finish chunk, on every chunk, or without being asked for. Clients that read it from the last
chunk with empty choices find none; those that add up count too much.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, TOOLS, api, calls, chunk, counted, entry, events, reference
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["choices"],
    sources=[reference("001"), api()],
    expected="one chunk with `choices: []` after the finish chunk, if asked for",
    guard="Take the last usage object of the stream, wherever it stands.",
    report="",
    good=[GOOD_STREAM],
    bad=[
        Example(
            events(
                chunk(calls(entry(0, "call_a1", "get_weather", PARIS), role="assistant", content=None)),
                chunk({}, "tool_calls", usage={"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14}),
                "[DONE]",
            ),
            TOOLS,
        )
    ],
)
def usage_placement(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.USAGE)
    if mark is None:
        return
    where: list[str] = [s for s in ("finish", "chunk") if s in mark.spellings]
    if where or (t.asked.known and not t.asked.include_usage):
        places = {
            "finish": "on the finish chunk",
            "chunk": "on chunks with a delta",
            "alone": "without being asked for",
        }
        yield Hit(
            "usage comes " + " and ".join(places[s] for s in where or ["alone"]), counted(mark.count, "time"), mark
        )
