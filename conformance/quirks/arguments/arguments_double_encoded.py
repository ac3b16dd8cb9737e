"""The argument text is JSON that was encoded twice.

Parsing it gives a string instead of an object; the tool receives a string or nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, api, complete, entry, issue, of_call
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["calls"],
    assembled=True,
    sources=[api("chat"), issue("vllm-project/vllm#54964", "vllm")],
    seen=[issue("JetBrains/koog#2096"), issue("oracle/langchain-oracle#70"), issue("tailcallhq/forgecode#2764")],
    expected="text that parses to an object",
    guard="Where parsing gives a string that itself parses to an object, parse once more.",
    guard_python="arguments = json.loads(text)\nif isinstance(arguments, str):\n    arguments = json.loads(arguments)",
    guard_typescript='let args = JSON.parse(text);\nif (typeof args === "string") args = JSON.parse(args);',
    report="`function.arguments` is JSON encoded twice.",
    good=[GOOD_STREAM],
    bad=[complete(entry(..., "call_a1", "get_weather", '"{\\"city\\":\\"Paris\\"}"'))],
)
def arguments_double_encoded(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if call.repair == "unwrapped":
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: its arguments are JSON encoded twice",
                call.arguments_raw[:120],
                call=call,
                event=event,
                pointer=pointer,
            )
