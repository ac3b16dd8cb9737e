"""An id in the history is composed of a turn and an id.

The id a user interface tracks a call by (as in ACP) is another namespace. In the history only the provider's own id
links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.quirks.common import GOOD_PAST, past, past_call, past_result, past_turn, reference
from conformance.quirks.history._turns import call_ids
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript

_COMPOSITE = re.compile(r"[^/\s]+/[^/\s]+")


@quirk(
    level="should",
    layer="client",
    needs=["history"],
    assembled=True,
    sources=[reference("000", "§7")],
    expected="the id that the provider sent",
    guard="Keep the interface's id beside the provider's, and send the provider's.",
    report="The client sends ids composed with a turn id.",
    good=[GOOD_PAST],
    bad=[past(past_turn(past_call("turn_3/call_a1")), past_result("turn_3/call_a1"))],
)
def id_composite(t: Transcript) -> Iterator[Hit]:
    for call_id, pointer in call_ids(t.asked.messages):
        if _COMPOSITE.fullmatch(call_id):
            yield Hit("an id is composed of two parts", f"id {call_id!r}", pointer=pointer)
