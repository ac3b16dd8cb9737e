"""A call's name changes after argument text has come.

Readers differ in which name they keep, and a wrong tool may be run.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, calls, counted, entry, marked, of_call, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    modes=["stream"],
    needs=["continuations"],
    sources=[reference("000", "§1")],
    expected="one name for one call",
    guard="Keep the first name, and treat the call as suspect.",
    report="One tool call carries different names in its deltas.",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", '{"city":')), calls(entry(0, ..., "get_time", '"Paris"}')))],
)
def name_changed(t: Transcript) -> Iterator[Hit]:
    for call, mark, count in marked(t, Fact.NAME_CHANGED):
        yield Hit(
            f"{of_call(call)}: {counted(count, 'continuation carries', 'continuations carry')} another name",
            f"name {mark.sample!r}",
            mark,
            call,
        )
