"""The server rejects broken arguments of a call in the history.

What a model wrote wrongly stays in the history unless the client mends it; then every later turn is rejected as well.
A server may do so if it says where.
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

_REQUEST = history(turn(past_call(arguments='{"city":"Par')), past_result())


@quirk(
    level="info",
    needs=["arguments-invalid"],
    sources=[documented("messages"), reference("000", "§4, §8")],
    seen=[issue("OpenHands/software-agent-sdk#2887"), issue("vllm-project/vllm#48922", "vllm")],
    expected="an answer, or an error that names the arguments",
    guard="Close broken arguments before they go back (`repair_arguments`).",
    report="",
    good=[answered(history(turn(), past_result()))],
    bad=[
        refused(
            _REQUEST,
            "messages[1].tool_calls[0].function.arguments: unterminated string",
            "messages[1].tool_calls[0].function.arguments",
        )
    ],
    also=["arguments-broken"],
)
def arguments_invalid_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "arguments-invalid")
