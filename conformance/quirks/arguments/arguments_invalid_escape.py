"""Arguments hold a backslash escape that JSON does not know.

Typical of Windows paths and regular expressions; the text does not parse.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.arguments._classify import classify
from conformance.quirks.common import GOOD_COMPLETE, GOOD_STREAM, JSON_STANDARD, complete, entry, issue, of_call
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    layer="model",
    needs=["calls"],
    assembled=True,
    sources=[JSON_STANDARD, issue("mistralai/mistral-vibe#216")],
    seen=[issue("OpenHands/software-agent-sdk#2488"), issue("ggml-org/llama.cpp#13825", "llamacpp")],
    expected="text that parses to a JSON object",
    guard="Do not run the call; answer it with an error result that says what is wrong, and let the model try again.",
    report="Strings in `function.arguments` hold invalid escapes.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[complete(entry(..., "call_a1", "get_weather", '{"city":"D:\\qParis"}'))],
)
def arguments_invalid_escape(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if classify(call) == "invalid-escape":
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: its arguments hold an invalid escape",
                call.arguments[:120],
                call=call,
                event=event,
                pointer=pointer,
            )
