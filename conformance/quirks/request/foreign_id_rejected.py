"""The server rejects a call id of another form than its own.

An id is an opaque string that links a call and its result. A server that insists on its own form (nine letters and
digits) cannot continue a conversation that began elsewhere, and router and fallback fail.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue, reference
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

_REQUEST = history(turn(past_call("functions.get_weather:0")), past_result("functions.get_weather:0"))


@quirk(
    level="should",
    needs=["foreign-id"],
    sources=[documented("messages"), reference("000", "§0")],
    seen=[
        issue("jackmpcollins/magentic#276", "mistral", "2024-07-25"),
        issue("karthink/gptel#1203", "mistral", "2026-01-07"),
    ],
    expected="an answer: ids are opaque",
    guard="Keep a conversation with the provider that issued its ids.",
    report="A history is rejected because of the form of a tool-call id.",
    good=[answered(_REQUEST)],
    bad=[refused(_REQUEST, "Tool call id was functions.get_weather:0 but must be a-z, A-Z, 0-9, with a length of 9.")],
)
def foreign_id_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "foreign-id")
