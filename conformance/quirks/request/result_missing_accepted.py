"""The server accepts a call without a result.

OpenAI rejects a history in which a call stays unanswered. A server that accepts it hides a bug of the client that
shows elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import reference
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import accepted, answered, documented, history, past_call, past_result, turn
from conformance.wire.transcript import Transcript

_REQUEST = history(turn(past_call(), past_call("call_b2")), past_result())


@quirk(
    level="info",
    needs=["result-missing"],
    sources=[reference("000", "§3"), documented("messages")],
    expected="an error that names the call",
    guard="Answer every call, also those that were not run.",
    report="",
    good=[answered(history(turn(), past_result()))],
    bad=[answered(_REQUEST)],
    also=["result-missing"],
)
def result_missing_accepted(t: Transcript) -> Iterator[Hit]:
    yield from accepted(t, "result-missing")
