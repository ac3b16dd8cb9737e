"""A tool result answers no call of the assistant message before it.

The id is the only link. A result whose `tool_call_id` stands in no preceding call is rejected, or misread as the
answer to something else.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_PAST, past, past_call, past_result, past_turn, reference
from conformance.quirks.history._turns import tolerated, turns
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    layer="client",
    needs=["history"],
    assembled=True,
    sources=[reference("000", "§3, §8")],
    expected="a `tool_call_id` that equals an id of the preceding assistant message",
    guard="Send the assistant message exactly as assembled, then one result per call with that call's id.",
    guard_python="messages.append(result.message)\nfor call in result.calls:\n"
    '    messages.append(tool_message(call, run(call) if call.usable else "not run"))',
    report="The client sends a tool result whose id belongs to no call before it.",
    good=[GOOD_PAST],
    bad=[past(past_turn(past_call()), past_result(), past_result("call_other")), past(past_result("call_a1"))],
)
def result_orphan(t: Transcript) -> Iterator[Hit]:
    for turn in turns(t.asked.messages):
        ids = {call.get("id") for call in turn.calls}
        for position, result in turn.results:
            if result.get("tool_call_id") not in ids:
                yield Hit(
                    f"message {position} answers no call of the message before it",
                    f"tool_call_id {result.get('tool_call_id')!r}",
                    pointer=f"/messages/{position}/tool_call_id",
                    level=tolerated(t),
                )
