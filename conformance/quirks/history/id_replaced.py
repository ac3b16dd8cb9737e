"""An id in the history is of another make than the others.

A UUID beside ids of the provider's own form was made up by the client. The provider never issued it, and its own id
for that call is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.quirks.common import GOOD_PAST, past, past_call, past_result, past_turn, reference
from conformance.quirks.history._turns import call_ids
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


@quirk(
    level="should",
    layer="client",
    needs=["history"],
    assembled=True,
    sources=[reference("000", "§0, §7, §8")],
    expected="the ids that the provider sent",
    guard="Never generate an id; where none came, use the empty string on both sides.",
    report="The client replaces tool-call ids by ids of its own.",
    good=[GOOD_PAST],
    bad=[
        past(
            past_turn(past_call(), past_call("0b9f6b0e-6a4c-4f57-9d53-0f1f5a3b7c11")),
            past_result(),
            past_result("0b9f6b0e-6a4c-4f57-9d53-0f1f5a3b7c11"),
        )
    ],
)
def id_replaced(t: Transcript) -> Iterator[Hit]:
    ids = call_ids(t.asked.messages)
    made = [(i, p) for i, p in ids if _UUID.fullmatch(i)]
    if made and len(made) < len([i for i, _ in ids if i]):
        call_id, pointer = made[0]
        yield Hit("an id looks made up by the client", f"id {call_id!r}", pointer=pointer, count=len(made))
