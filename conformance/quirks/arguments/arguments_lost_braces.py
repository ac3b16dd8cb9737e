"""The opening brace of the arguments is missing.

The server's streaming parser dropped the first piece; the text does not parse.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.arguments._classify import classify
from conformance.quirks.common import (
    GOOD_COMPLETE,
    GOOD_STREAM,
    PARIS,
    calls,
    entry,
    issue,
    of_call,
    reference,
    stream,
)
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    layer="server",
    needs=["calls"],
    sources=[reference("000", "§1"), issue("vllm-project/vllm#35266", "vllm")],
    seen=[issue("vllm-project/vllm#21046", "vllm")],
    expected="text that parses to a JSON object",
    guard="Do not run the call; ask for a complete answer (`stream: false`).",
    report="The first piece of `function.arguments`, with its opening brace, is lost.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", "")), calls(entry(0, arguments=PARIS[1:])))],
)
def arguments_lost_braces(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if classify(call) == "lost-braces":
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: the opening brace of its arguments is missing",
                call.arguments[:80],
                call=call,
                event=event,
                pointer=pointer,
            )
