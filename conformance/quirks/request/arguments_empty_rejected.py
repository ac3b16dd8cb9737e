"""The server rejects empty arguments of a call in the history.

A call without arguments may come with an empty string (some servers send it), and the string goes back as it came.
The API reference calls arguments a string and does not say that it holds JSON.
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

_REQUEST = history(turn(past_call(arguments="")), past_result())


@quirk(
    level="info",
    needs=["arguments-empty"],
    sources=[documented("messages")],
    seen=[issue("ggml-org/llama.cpp#22948", "llamacpp")],
    expected="an answer, or an error that names the arguments",
    guard="Send `{}` where a call came without arguments.",
    report="",
    good=[answered(history(turn(), past_result()))],
    bad=[
        refused(
            _REQUEST,
            "messages[1].tool_calls[0].function.arguments: the arguments are not valid JSON",
            "messages[1].tool_calls[0].function.arguments",
        )
    ],
    also=["arguments-broken"],
)
def arguments_empty_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "arguments-empty")
