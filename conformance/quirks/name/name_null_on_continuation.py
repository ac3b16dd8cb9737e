"""Continuations carry a null name.

Legal and widely done; a client must not take null for a name.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, calls, counted, entry, marked, of_call, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["continuations", "presence"],
    sources=[reference("000", "§1")],
    expected="no `name` after the first entry",
    guard="Overwrite only with a non-empty name.",
    report="",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", "")), calls(entry(0, ..., None, PARIS)))],
)
def name_null_on_continuation(t: Transcript) -> Iterator[Hit]:
    for call, mark, count in marked(t, Fact.NAME_BLANK_CONTINUATION, "null"):
        yield Hit(
            f"{of_call(call)}: {counted(count, 'continuation carries', 'continuations carry')} a null name",
            "name null",
            mark,
            call,
        )
