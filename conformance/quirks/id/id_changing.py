"""A call's id changes in the middle of the stream.

There is no telling which id the server will accept for the result. Readers differ: some keep the first, some the
last.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, calls, counted, entry, marked, of_call, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    modes=["stream"],
    needs=["continuations"],
    sources=[reference("000", "§0, §1")],
    expected="one id for one call",
    guard="Keep the first id, and log the others.",
    guard_python="if entry.id and not call.id:\n    call.id = entry.id",
    guard_typescript="if (entry.id && !call.id) call.id = entry.id;",
    report="One tool call carries different ids in its deltas.",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", "")), calls(entry(0, "call_z9", arguments=PARIS, type=...)))],
)
def id_changing(t: Transcript) -> Iterator[Hit]:
    for call, mark, count in marked(t, Fact.ID_CHANGED):
        yield Hit(
            f"{of_call(call)} was opened with id {call.id!r}; {counted(count, 'continuation carries', 'continuations carry')} another one",
            f"id {mark.sample!r}",
            mark,
            call,
        )
