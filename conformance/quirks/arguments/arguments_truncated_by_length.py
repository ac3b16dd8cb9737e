"""The token limit cuts the argument text.

Legal: `finish_reason` says `length`. The call must not be run, and the text must be closed before it goes into a
history.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.arguments._classify import classify
from conformance.quirks.common import GOOD_STREAM, api, calls, entry, limited, of_call, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    needs=["calls"],
    assembled=True,
    sources=[api("chat")],
    expected="text that parses, or `finish_reason: length`",
    guard="Do not run a call of an answer that ended with `length`; raise the limit and ask again.",
    guard_python='if finish_reason == "length":\n    raise RetryWithMoreTokens',
    report="",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", '{"city":"Par')), finish="length")],
)
def arguments_truncated_by_length(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if limited(t, call) and classify(call) == "truncated":
            yield Hit(
                f"{of_call(call)}: the token limit cuts its arguments",
                "…" + call.arguments[-60:],
                call=call,
                event=call.last[0],
                pointer=call.last[1],
            )
