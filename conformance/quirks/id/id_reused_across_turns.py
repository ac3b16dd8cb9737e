"""A call's id already stands in the history.

A server that numbers its calls anew in every turn makes results of different turns share an id; frameworks that file
results by id overwrite the older ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, TOKYO, api, calls, entry, of_call, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["calls", "history"],
    sources=[reference("000", "§0"), api("chat")],
    expected="an id that was not used before in the conversation",
    guard="File results by turn and id, not by id alone.",
    report="A tool call reuses an id of an earlier turn of the same conversation.",
    good=[GOOD_STREAM],
    bad=[
        stream(
            calls(entry(0, "call_a1", "get_weather", TOKYO)),
            request={
                "messages": [
                    {"role": "user", "content": "Paris, then Tokyo"},
                    {
                        "role": "assistant",
                        "content": None,
                        "tool_calls": [
                            {
                                "id": "call_a1",
                                "type": "function",
                                "function": {"name": "get_weather", "arguments": PARIS},
                            }
                        ],
                    },
                    {"role": "tool", "tool_call_id": "call_a1", "content": "mild"},
                ]
            },
        )
    ],
)
def id_reused_across_turns(t: Transcript) -> Iterator[Hit]:
    used = {
        item.get("id")
        for message in t.asked.messages
        for item in (message.get("tool_calls") if isinstance(message.get("tool_calls"), list) else None) or ()
        if isinstance(item, dict)
    }
    for call in t.calls:
        if call.id and call.id in used:
            yield Hit(
                f"{of_call(call)} has an id that the history already holds",
                f"id {call.id!r}",
                call=call,
                event=call.opened[0],
                pointer=f"{call.opened[1]}/id",
            )
