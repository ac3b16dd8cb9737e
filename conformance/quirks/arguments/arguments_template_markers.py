"""Markers of the chat template stand in the arguments.

The server's parser let `</tool_call>` or a control token through; the text does not parse.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.arguments._classify import classify
from conformance.quirks.common import GOOD_COMPLETE, GOOD_STREAM, PARIS, api, complete, entry, issue, of_call
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    layer="server",
    needs=["calls"],
    assembled=True,
    sources=[api("chat"), issue("vllm-project/vllm-ascend#12398", "vllm")],
    seen=[issue("THUDM/slime#2049")],
    expected="text that parses to a JSON object",
    guard="Do not run the call. Where the text before the marker is a whole object, an agent may choose to trust it, and should log it.",
    report="The server's tool-call parser leaves template markers in `function.arguments`.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[complete(entry(..., "call_a1", "get_weather", PARIS + "</tool_call>"))],
)
def arguments_template_markers(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if classify(call) == "template-markers":
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: template markers stand in its arguments",
                call.arguments[-120:],
                call=call,
                event=event,
                pointer=pointer,
            )
