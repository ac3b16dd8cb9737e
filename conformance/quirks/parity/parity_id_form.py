"""Ids are made another way in one mode, or come in one mode only.

Whatever a client knows about ids from one mode, their length or that they are there at all, does not hold in the other.
A history that was begun in one mode and goes on in the other holds ids of both kinds.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, api, beside, of_call, reference
from conformance.quirks.parity._common import COMPARE, GOOD_BOTH, OTHER_VALUE, SAME_REQUEST, one_call, one_call_complete
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.twins import twin_calls
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["twin-calls", "ids"],
    sources=[reference("000", "§0, §1"), SAME_REQUEST, api("chat")],
    expected="an id in both modes",
    guard=f"Keep every id as it came, whatever it looks like. {COMPARE}",
    report="Tool calls have an id in one mode, and none for the same request in the other.",
    good=[GOOD_BOTH, OTHER_VALUE, beside(one_call(id="call_9f77a7a9"), one_call_complete(id="call_938a7c1f"))],
    bad=[beside(one_call(id=""), GOOD_COMPLETE), beside(one_call(), one_call_complete(id=...))],
    also=["id-missing"],
)
def parity_id_form(t: Transcript) -> Iterator[Hit]:
    for call, here, there in twin_calls(t):
        if call.legacy or here.id.like(there.id) or not (here.id.there or there.id.there):
            continue
        both = here.id.there and there.id.there
        yield Hit(
            f"{of_call(call)}: its id is {here.id}, with `stream: false` {there.id}",
            f"id {call.id!r}",
            call=call,
            event=call.opened[0],
            pointer=f"{call.opened[1]}/id",
            level="info" if both else None,
        )
