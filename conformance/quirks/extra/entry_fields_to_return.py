"""A call carries fields beyond the reference.

Gemini's `extra_content` holds a thought signature without which the next request is rejected. Frameworks that keep
only known fields lose it.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, api, calls, entry, marked, of_call, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    needs=["calls"],
    sources=[api("chat")],
    expected="id, type and function",
    guard="Keep unknown fields of a call, and send them back unchanged.",
    guard_python="turn = Accumulator(request)\nfor chunk in stream:\n    turn.feed(chunk)\n"
    "message = turn.finish().message  # keeps them",
    report="",
    good=[GOOD_STREAM],
    bad=[
        stream(
            calls(entry(0, "call_a1", "get_weather", PARIS, extra_content={"google": {"thought_signature": "c2ln"}}))
        )
    ],
)
def entry_fields_to_return(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.ENTRY_EXTRA):
        names = ", ".join(list(mark.spellings)[:6])
        yield Hit(f"{of_call(call)} carries {names}", str(mark.sample), mark, call)
