"""The server rejects a function whose parameters have no properties.

The plainest way to say that a function takes nothing is an object schema with empty properties.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, function, offer, refused, rejected
from conformance.wire.transcript import Transcript

_REQUEST = offer(function(parameters={"type": "object", "properties": {}}))


@quirk(
    level="should",
    needs=["properties-empty"],
    sources=[documented("tools")],
    expected="an answer",
    guard="Add an optional property that nobody uses.",
    report="A function whose parameters are an object without properties is rejected.",
    good=[answered(_REQUEST)],
    bad=[refused(_REQUEST, "tools[0].function.parameters.properties: should be non-empty for OBJECT type")],
)
def properties_empty_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "properties-empty")
