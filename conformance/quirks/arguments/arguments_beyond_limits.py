"""Arguments are JSON that readers refuse for its size.

More than 500 levels of nesting, or an integer of more than 4,300 digits. Either may be right: JSON sets no limits. But
decoders do, and the call is lost with them, as it is here.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.arguments._classify import classify
from conformance.quirks.common import GOOD_COMPLETE, GOOD_STREAM, JSON_STANDARD, complete, entry, of_call
from conformance.quirks.registry import Hit, Source, quirk
from conformance.wire.limits import MAX_NESTING
from conformance.wire.transcript import Transcript

_DEEP = '{"tree":' + "[" * MAX_NESTING + "]" * MAX_NESTING + "}"


@quirk(
    level="should",
    layer="model",
    needs=["calls"],
    assembled=True,
    sources=[
        Source(
            "Python, integer string conversion length limitation",
            "https://docs.python.org/3/library/stdtypes.html#integer-string-conversion-length-limitation",
            "2026-11-30",
        ),
        JSON_STANDARD,
    ],
    expected="JSON within the limits of common decoders",
    guard="Answer the call with an error result that says so, and let the model try again.",
    report="The argument text of a tool call is larger than decoders accept.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[complete(entry(..., "call_a1", "get_time", _DEEP))],
)
def arguments_beyond_limits(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if classify(call) == "beyond-limits":
            which = call.parse_error.removeprefix("beyond limits: ")
            yield Hit(
                f"{of_call(call)}: its arguments were not read: {which}",
                which,
                call=call,
                event=call.last[0],
                pointer=call.last[1],
            )
