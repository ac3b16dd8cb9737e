"""A full copy of the arguments follows their pieces.

Concatenated, the text holds the object twice and does not parse.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, api, calls, entry, of_call, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    modes=["stream"],
    needs=["continuations"],
    sources=[reference("000", "§1, fragments to concatenate"), api()],
    expected="every piece once",
    guard="Drop a delta that equals the object that is already complete.",
    guard_python='if piece == call.arguments and piece.startswith("{") and piece.endswith("}"):\n    continue',
    report="After the argument pieces a further delta repeats the whole arguments.",
    good=[GOOD_STREAM],
    bad=[
        stream(
            calls(entry(0, "call_a1", "get_weather", '{"city":')),
            calls(entry(0, arguments='"Paris"}')),
            calls(entry(0, arguments=PARIS)),
        )
    ],
)
def arguments_full_copy(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if call.repair == "copy-dropped":
            yield Hit(
                f"{of_call(call)}: a delta repeats the complete arguments",
                call.arguments_raw[:160],
                call=call,
                event=call.last[0],
                pointer=call.last[1],
            )
