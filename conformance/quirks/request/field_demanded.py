"""The server demands a field that the API reference does not know.

Reasoning (`reasoning_content`) or a signature (`extra_content`) has to go back with the call it came with. A client
that follows the API reference drops it, and so does every history that began with another provider.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.rejection import demanded
from conformance.quirks.request._verdict import (
    answered,
    documented,
    history,
    past_call,
    past_result,
    refused,
    short,
    turn,
)
from conformance.wire.transcript import Transcript

_REQUEST = history(turn(), past_result())


@quirk(
    level="should",
    needs=["request", "history"],
    sources=[documented("messages"), issue("QwenLM/qwen-code#3578"), issue("securo-finance/securo#884")],
    seen=[issue("langchain-ai/langchain#34166"), issue("continuedev/continue#10193")],
    expected="an answer",
    guard="Send unknown fields of calls and messages back unchanged, to the provider that sent them.",
    guard_python="messages.append(result.message)  # holds what came beside the calls",
    report="A history that keeps to the API reference is rejected because it lacks a field of yours.",
    good=[
        answered(history(turn(past_call(extra_content={"google": {"thought_signature": "c2ln"}})), past_result())),
        answered(_REQUEST),
    ],
    bad=[
        refused(_REQUEST, "The reasoning_content in the thinking mode must be passed back to the API."),
        refused(_REQUEST, "Function call is missing a thought_signature in functionCall parts."),
    ],
)
def field_demanded(t: Transcript) -> Iterator[Hit]:
    if words := demanded(t):
        yield Hit(f"the request is rejected: {' '.join(words.split())}"[:160], short(t))
