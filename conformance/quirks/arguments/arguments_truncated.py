"""The argument text breaks off although the answer claims to have ended well.

Part of what the model wrote is lost. Where a gateway passes on that the token limit was reached, or the token count
says so, the finish reason is what is wrong: `finish-not-length`. Closing the open braces gives arguments that parse and are wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.arguments._classify import classify
from conformance.quirks.common import (
    GOOD_COMPLETE,
    GOOD_STREAM,
    calls,
    complete,
    counted,
    entry,
    failed,
    issue,
    limited,
    of_call,
    reference,
    spent,
    stream,
)
from conformance.quirks.registry import Hit, Source, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["calls"],
    sources=[reference("000", "§4"), reference("001", "rules that prevent bugs")],
    seen=[
        Source("Reference 000, §5: sometimes truncated JSON arguments", date="2026-11-30", provider="dashscope"),
        issue("vllm-project/vllm#45167", "vllm"),
    ],
    expected="text that parses to an object",
    guard="Do not run the call; close the text for the history only (`repair_arguments`), and ask again.",
    guard_python="from conformance import repair_arguments\n\nhistory_text = repair_arguments(call.arguments).text",
    report="The argument text of a tool call ends in the middle.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[
        stream(calls(entry(0, "call_a1", "get_weather", '{"city":')), calls(entry(0, arguments='"Par'))),
        complete(entry(..., "call_a1", "get_weather", '{"city":"Paris"')),
    ],
)
def arguments_truncated(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        told = limited(t, call) or spent(t) or failed(t, call)
        if not told and classify(call) == "truncated":
            yield Hit(
                f"{of_call(call)}: its arguments break off after {counted(len(call.arguments), 'character')}",
                "…" + call.arguments[-60:],
                call=call,
                event=call.last[0],
                pointer=call.last[1],
            )
