"""The server rejects a history whose call has the empty id.

Where no id came, the reference documents send the empty string on both sides. A server that sends ids itself may
refuse it, with an error that names the id.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import reference
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, history, past_call, past_result, refused, rejected, turn
from conformance.wire.transcript import Transcript

_REQUEST = history(turn(past_call("")), past_result(""))


@quirk(
    level="info",
    needs=["empty-id"],
    sources=[reference("000", "§0, §5")],
    expected="an answer, or an error that names the id",
    guard="None: never make up an id. Report a server that sends no id and rejects the empty one.",
    report="",
    good=[answered(_REQUEST)],
    bad=[
        refused(
            _REQUEST,
            "Invalid 'messages[1].tool_calls[0].id': empty string. Expected a string with minimum length 1.",
            "messages[1].tool_calls[0].id",
        )
    ],
)
def empty_id_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "empty-id")
