"""A call's type is neither `function` nor `custom`.

Strictly typed clients fail on the unknown value, and with it on the whole chunk.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, api, complete, entry, marked, of_call, reference
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["calls"],
    sources=[reference("000", "§6"), api("chat")],
    expected="`function` or `custom`",
    guard="Treat an unknown type with a `function` object as a function call.",
    report="A tool call has a `type` that OpenAI's reference does not know.",
    good=[GOOD_STREAM],
    bad=[complete(entry(..., "call_a1", "get_weather", PARIS, type="tool"))],
)
def type_unknown(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.TYPE_OTHER):
        yield Hit(f"{of_call(call)}: its type is unknown", f"type {mark.sample}", mark, call)
