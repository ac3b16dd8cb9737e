"""A call in the history has no result.

Every call needs one, in the messages right behind it, before anybody speaks again; providers reject the request
otherwise.
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
    sources=[reference("000", "§3")],
    expected="one result for every call",
    guard="Answer every call, also those that were not run: with an error text as result.",
    report="The client sends a history in which a call has no result.",
    good=[GOOD_PAST],
    bad=[
        past(past_turn(past_call(), past_call("call_b2")), past_result()),
        past(past_turn(past_call()), {"role": "user", "content": "Well?"}),
    ],
)
def result_missing(t: Transcript) -> Iterator[Hit]:
    for turn in turns(t.asked.messages):
        answered = {result.get("tool_call_id") for _, result in turn.results}
        for number, call in enumerate(turn.calls):
            if call.get("id") not in answered:
                yield Hit(
                    f"call {number} of message {turn.position} has no result",
                    f"id {call.get('id')!r}",
                    pointer=f"/messages/{turn.position}/tool_calls/{number}",
                    level=tolerated(t),
                )
