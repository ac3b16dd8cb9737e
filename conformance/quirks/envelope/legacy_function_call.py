"""A call comes as the legacy `function_call`.

It has no id. Clients that read `tool_calls` only see an empty turn.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, api, complete, of_call, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["calls"],
    sources=[api("chat")],
    expected="`tool_calls`, where `tools` were offered",
    guard="Read `function_call` as one call with an empty id, and answer it with a `function` message.",
    report="A request with `tools` is answered with the legacy `function_call`.",
    good=[GOOD_STREAM],
    bad=[
        stream({"function_call": {"name": "get_weather", "arguments": PARIS}}, finish="function_call"),
        complete(finish="stop", function_call={"name": "get_weather", "arguments": PARIS}),
    ],
    also={"finish-legacy", "finish-stop-with-calls"},
)
def legacy_function_call(t: Transcript) -> Iterator[Hit]:
    asked_so = t.asked.known and bool(t.asked.body.get("functions")) and not t.asked.body.get("tools")
    for call in t.calls:
        if call.legacy:
            yield Hit(
                f"{of_call(call)} comes as `function_call`",
                "function_call",
                call=call,
                event=call.opened[0],
                pointer=call.opened[1],
                level="info" if asked_so or not t.asked.known else None,
            )
