"""Continuations carry a null id.

Legal and widely done; a client must not take null for an id.
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
    expected="no `id` after the first entry",
    guard="Overwrite only with a non-empty id.",
    guard_python="if entry.id and not call.id:\n    call.id = entry.id",
    guard_typescript="if (entry.id && !call.id) call.id = entry.id;",
    report="",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", "")), calls(entry(0, None, arguments=PARIS)))],
)
def id_null_on_continuation(t: Transcript) -> Iterator[Hit]:
    for call, mark, count in marked(t, Fact.ID_BLANK_CONTINUATION, "null"):
        yield Hit(
            f"{of_call(call)}: {counted(count, 'continuation carries', 'continuations carry')} a null id",
            "id null",
            mark,
            call,
        )
