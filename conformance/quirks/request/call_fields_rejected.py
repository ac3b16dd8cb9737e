"""The server rejects an unknown field of a call in the history.

Gateways hang signatures to calls (`extra_content`) that have to go back unchanged. Behind a router the next turn may
reach a server that does not know the field; it has to ignore it, or the conversation ends.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, history, past_call, past_result, refused, rejected, turn
from conformance.wire.transcript import Transcript

_REQUEST = history(turn(past_call(extra_content={"google": {"thought_signature": "c2ln"}})), past_result())


@quirk(
    level="should",
    needs=["call-fields"],
    sources=[issue("langgenius/dify-official-plugins#2088"), issue("securo-finance/securo#884")],
    expected="an answer; the field is ignored",
    guard="Send unknown fields back only to the provider that sent them.",
    report="A history is rejected because a tool call carries a field the server does not know.",
    good=[answered(_REQUEST)],
    bad=[refused(_REQUEST, "Unknown name \"extra_content\" at 'messages[1].tool_calls[0]': cannot find field.")],
)
def call_fields_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "call-fields")
