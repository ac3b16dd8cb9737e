"""The id comes after the first entry of its call.

Clients that take the id from the first entry only, as the reference allows, end without one.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, calls, entry, issue, marked, of_call, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["calls"],
    sources=[reference("000", "§1"), issue("pipecat-ai/pipecat#5023")],
    seen=[issue("agentscope-ai/agentscope-java#1238")],
    expected="the id in the first entry of the call",
    guard="Take the first non-empty id of an index, whenever it comes.",
    guard_python="if entry.id and not call.id:\n    call.id = entry.id",
    guard_typescript="if (entry.id && !call.id) call.id = entry.id;",
    report="The first delta of a tool call has no id; it follows in a later delta.",
    good=[GOOD_STREAM],
    bad=[
        stream(
            calls(entry(0, None, "get_weather", "", type="function")),
            calls(entry(0, "call_a1", arguments=PARIS, type=...)),
        )
    ],
)
def id_late(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.ID_LATE):
        yield Hit(f"{of_call(call)} gets its id after its first entry", f"id {mark.sample!r}", mark, call)
