"""The token limit or a filter cuts the argument text.

Legal: `finish_reason` says `length` or `content_filter`. The call must not be run, and the text must be closed before
it goes into a history. Where no argument text came at all, the call may be one without arguments or one that was cut
before its first argument: it must not be run as a call with `{}` either.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.arguments._classify import classify
from conformance.quirks.common import GOOD_STREAM, api, calls, complete, entry, limited, of_call, spent, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    needs=["calls"],
    assembled=True,
    sources=[api("chat")],
    expected="text that parses, or a finish reason that says it was cut",
    guard="Do not run the last call of an answer that ended with `length` or `content_filter` unless its arguments came"
    " and parse; for `length`, raise the limit and ask again.",
    guard_python='cut = finish_reason in ("length", "content_filter")\n'
    "if cut and calls and not calls[-1].arguments:\n    del calls[-1]",
    guard_typescript='const cut = finishReason === "length" || finishReason === "content_filter";\n'
    "if (cut && !calls.at(-1)?.arguments) calls.pop();",
    report="",
    good=[GOOD_STREAM],
    bad=[
        stream(calls(entry(0, "call_a1", "get_weather", '{"city":"Par')), finish="length"),
        stream(calls(entry(0, "call_a1", "get_time", "")), finish="content_filter"),
        complete(entry(..., "call_a1", "get_time", None), finish="length"),
    ],
)
def arguments_truncated_by_length(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        blank = "truncated" in call.unusable_because
        if blank or ((limited(t, call) or spent(t)) and classify(call) == "truncated"):
            said = "may have cut" if blank else "cuts"
            yield Hit(
                f"{of_call(call)}: the end of the answer {said} its arguments",
                "…" + call.arguments[-60:] if call.arguments_raw else "no argument text",
                call=call,
                event=call.last[0],
                pointer=call.last[1],
            )
