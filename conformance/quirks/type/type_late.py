"""The type comes after the first entry of its call.

Clients that decide by the first entry what kind of call it is decide too early.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, calls, entry, marked, of_call, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["continuations"],
    sources=[reference("000", "§1")],
    expected="the type in the first entry of the call",
    guard="Treat a call as a function call until a type says otherwise.",
    report="The first delta of a tool call has no type; it follows in a later delta.",
    good=[GOOD_STREAM],
    bad=[
        stream(
            calls(entry(0, "call_a1", "get_weather", "", type=...)),
            calls(entry(0, arguments=PARIS, type="function")),
        )
    ],
)
def type_late(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.TYPE_LATE):
        yield Hit(f"{of_call(call)} gets its type after its first entry", f"type {mark.sample!r}", mark, call)
