"""All argument text of a streamed call comes in one entry.

Legal. The server does not stream arguments; nothing can be shown while they are written.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, calls, counted, entry, of_call, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["calls", "finished"],
    sources=[reference("000", "§1")],
    expected="arguments in pieces, or at once",
    guard="None.",
    report="",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", PARIS)))],
)
def arguments_in_one_piece(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if sum(1 for p in call.pieces if p) == 1 and len(call.arguments) > 2:
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: its arguments come in one piece",
                f"{counted(len(call.arguments), 'character')} at once",
                call=call,
                event=event,
                pointer=pointer,
            )
