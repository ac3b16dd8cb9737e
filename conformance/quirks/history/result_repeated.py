"""A call in the history has two results.

Readers take the first, the last, or reject the request.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_PAST, past, past_call, past_result, past_turn, reference
from conformance.quirks.history._turns import turns
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    layer="client",
    needs=["history"],
    assembled=True,
    sources=[reference("000", "§3")],
    expected="one result for every call",
    guard="Send one result per call.",
    report="The client sends two results for one call.",
    good=[GOOD_PAST],
    bad=[past(past_turn(past_call()), past_result(), past_result())],
)
def result_repeated(t: Transcript) -> Iterator[Hit]:
    for turn in turns(t.asked.messages):
        ids = [call.get("id") for call in turn.calls]
        seen: list[object] = []
        for position, result in turn.results:
            answered = result.get("tool_call_id")
            seen.append(answered)
            if answered in ids and seen.count(answered) > ids.count(answered):
                yield Hit(
                    f"message {position} answers a call again",
                    f"tool_call_id {answered!r}",
                    pointer=f"/messages/{position}/tool_call_id",
                )
