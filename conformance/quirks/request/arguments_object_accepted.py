"""The server accepts arguments in the history as an object.

The API reference has a string that holds JSON. A client that sends objects works here and fails elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import accepted, answered, documented, history, past_call, past_result, turn
from conformance.wire.transcript import Transcript

_REQUEST = history(turn(past_call(arguments={"city": "Paris"})), past_result())


@quirk(
    level="info",
    needs=["arguments-object"],
    sources=[documented("messages")],
    expected="an error that names the arguments",
    guard="Send arguments as JSON text.",
    report="",
    good=[answered(history(turn(), past_result()))],
    bad=[answered(_REQUEST)],
    also=["arguments-broken"],
)
def arguments_object_accepted(t: Transcript) -> Iterator[Hit]:
    yield from accepted(t, "arguments-object")
