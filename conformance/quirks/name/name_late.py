"""The name comes after the first entry of its call.

Some clients reject an entry without a name at once, others start a nameless call.
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
    sources=[
        reference("000", "§1"),
        reference("003", "when the function name arrives later"),
        issue("vercel/ai#14722"),
    ],
    seen=[issue("anomalyco/opencode#24137"), issue("bitrouter/bitrouter#577")],
    expected="the name in the first entry of the call",
    guard="Hold a call back until its name has come; decide at the end of the stream, not before.",
    guard_python="if entry.function and entry.function.name and not call.name:\n    call.name = entry.function.name",
    guard_typescript="if (entry.function?.name && !call.name) call.name = entry.function.name;",
    report="The first delta of a tool call has no `function.name`; it follows in a later delta.",
    good=[GOOD_STREAM],
    bad=[
        stream(calls(entry(0, "call_a1", ..., '{"city":')), calls(entry(0, ..., "get_weather", '"Paris"}'))),
        stream(calls(entry(0, "call_a1")), calls(entry(0, ..., "get_weather", PARIS))),
    ],
    also={"function-missing"},
)
def name_late(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.NAME_LATE):
        when = "after argument text" if "after-arguments" in mark.spellings else "before any argument text"
        yield Hit(f"{of_call(call)} gets its name late, {when}", f"name {mark.sample!r}", mark, call)
