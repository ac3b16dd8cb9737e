"""Text follows the closing brace of the arguments.

The model went on writing, or the parser cut too late; the text does not parse.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.arguments._classify import classify
from conformance.quirks.common import GOOD_COMPLETE, GOOD_STREAM, PARIS, api, complete, entry, issue, of_call
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    layer="server",
    needs=["calls"],
    assembled=True,
    sources=[api("chat"), issue("vllm-project/vllm#48975", "vllm")],
    seen=[issue("librefang/librefang#2995"), issue("NousResearch/hermes-agent#81765")],
    expected="text that parses to a JSON object",
    guard="Do not run the call; answer it with an error result that says what is wrong, and let the model try again.",
    report="Text follows the closing brace of `function.arguments`.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[complete(entry(..., "call_a1", "get_weather", PARIS + " Let me look."))],
)
def arguments_trailing_text(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if classify(call) == "trailing-text":
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: text follows the closing brace of its arguments",
                call.arguments[-120:],
                call=call,
                event=event,
                pointer=pointer,
            )
