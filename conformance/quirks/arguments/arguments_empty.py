"""A call without arguments carries an empty string.

`""` is not JSON: clients that parse without looking drop the call or raise. OpenAI sends `{}`.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import api, calls, complete, entry, of_call, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["calls", "finished"],
    sources=[reference("000", "§1, §6"), api("chat")],
    expected="`{}`",
    guard="Read absent, null and empty arguments as `{}`, unless the answer ended with `length` or `content_filter`.",
    guard_python='arguments = json.loads(call.arguments or "{}")',
    guard_typescript='const args = JSON.parse(call.arguments || "{}");',
    report='A call without arguments carries `"arguments": ""`, which is not JSON; OpenAI sends `{}`.',
    good=[stream(calls(entry(0, "call_a1", "get_time", "{}"))), complete(entry(..., "call_a1", "get_time", "{}"))],
    bad=[
        stream(calls(entry(0, "call_a1", "get_time", ""))),
        complete(entry(..., "call_a1", "get_time", "")),
    ],
)
def arguments_empty(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if (
            call.pieces
            and not call.arguments_raw
            and call.type != "custom"
            and "truncated" not in call.unusable_because
        ):
            yield Hit(
                f"{of_call(call)}: its arguments are an empty string",
                'arguments ""',
                call=call,
                event=call.opened[0],
                pointer=f"{call.opened[1]}/function/arguments",
            )
