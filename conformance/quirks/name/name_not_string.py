"""A name is not a string.

Typed clients reject the entry; dynamic ones look up a tool that cannot exist.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, api, calls, entry, marked, reference, spelled, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["calls"],
    sources=[reference("000", "§6"), api()],
    expected="a string",
    guard="Do not run the call.",
    report="`function.name` is not a JSON string.",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", 7, PARIS)))],
    also={"name-missing"},
)
def name_not_string(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.NAME_NOT_STRING):
        yield Hit(f"call {call.index}: its name is of type {spelled(mark)}", f"name {mark.sample}", mark, call)
