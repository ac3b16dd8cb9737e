"""The server rejects two functions of one name.

Two sources of tools may bring the same name. The API reference does not say what happens; a server that accepts it
lets one function hide the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, function, offer, refused, rejected
from conformance.wire.transcript import Transcript

_REQUEST = offer(function(), function())


@quirk(
    level="info",
    needs=["duplicate-names"],
    sources=[documented("tools")],
    seen=[issue("tailcallhq/forgecode#892"), issue("openai/openai-agents-python#4116")],
    expected="an answer, or an error that names the function",
    guard="Make names unique before they are sent.",
    report="",
    good=[answered(_REQUEST)],
    bad=[refused(_REQUEST, "Tool names must be unique: get_weather stands twice.")],
)
def duplicate_names_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "duplicate-names")
