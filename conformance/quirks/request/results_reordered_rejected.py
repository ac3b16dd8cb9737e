"""The server rejects results in another order than their calls.

Tools that run at the same time end in any order, and the id says which result is whose.
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

_REQUEST = history(turn(past_call(), past_call("call_b2")), past_result("call_b2"), past_result())


@quirk(
    level="should",
    needs=["results-reordered"],
    sources=[reference("000", "§0, §3"), documented("messages")],
    seen=[issue("anthropics/claude-code#21906", date="2026-01-30")],
    expected="an answer: the id links",
    guard="Sort results like their calls before they go back.",
    report="Tool results in another order than their calls are rejected.",
    good=[answered(_REQUEST)],
    bad=[
        refused(
            _REQUEST, "tool results are not in the order of their calls: expected tool_call_id call_a1 at messages[2]"
        )
    ],
)
def results_reordered_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "results-reordered")
