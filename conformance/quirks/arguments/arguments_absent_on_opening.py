"""The first entry of a call has no `arguments` field.

Legal enough: text follows. Clients that read the field without looking fail.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, calls, entry, marked, of_call, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["continuations", "presence"],
    sources=[reference("000", "§1")],
    expected='`"arguments": ""` in the first entry',
    guard="Append only where the field is there.",
    report="",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather")), calls(entry(0, arguments=PARIS)))],
)
def arguments_absent_on_opening(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.ARGUMENTS_MISSING_OPENING, "absent"):
        if call.pieces:
            yield Hit(f"{of_call(call)}: its first entry has no arguments field", "arguments absent", mark, call)
