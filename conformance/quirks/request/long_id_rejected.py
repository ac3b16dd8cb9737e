"""The server rejects a call id of more than 40 characters.

OpenAI does, other servers issue such ids. A conversation that moves between the two breaks.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import (
    answered,
    documented,
    history,
    past_call,
    past_result,
    refused,
    rejected,
    turn,
)
from conformance.wire.transcript import Transcript

_REQUEST = history(
    turn(past_call("call_0123456789012345678901234567890123456789")),
    past_result("call_0123456789012345678901234567890123456789"),
)


@quirk(
    level="info",
    needs=["long-id"],
    sources=[documented("messages")],
    seen=[issue("agno-agi/agno#5382", "openai", "2025-11-11"), issue("camel-ai/camel#2215", "openai", "2025-04-17")],
    expected="an answer, or an error that names the id",
    guard="Stay with the provider that issued the id for as long as its calls stand in the history.",
    report="",
    good=[answered(_REQUEST)],
    bad=[
        refused(
            _REQUEST,
            "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 45 instead.",
            "messages[1].tool_calls[0].id",
        )
    ],
)
def long_id_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "long-id")
