"""An id is not a string.

Typed clients reject the chunk; dynamic ones send the number back, and the link breaks on its type.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, api, calls, entry, marked, of_call, reference, spelled, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["calls"],
    sources=[reference("000", "§6"), api()],
    expected="a string",
    guard="Reject the answer; a converted id is not the id that was sent.",
    report="A tool call's `id` is not a JSON string.",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, 17, "get_weather", PARIS, type="function")))],
    also={"id-missing"},
)
def id_not_string(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.ID_NOT_STRING):
        yield Hit(f"{of_call(call)}: its id is of type {spelled(mark)}", f"id {mark.sample}", mark, call)
