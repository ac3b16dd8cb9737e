"""The server rejects a schema whose type is an array.

JSON Schema lets a type be an array; a nullable property is written so.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, function, offer, refused, rejected
from conformance.wire.transcript import Transcript

_REQUEST = offer(function(parameters={"type": "object", "properties": {"city": {"type": ["string", "null"]}}}))


@quirk(
    level="should",
    needs=["type-array"],
    sources=[documented("tools")],
    expected="an answer",
    guard="Use `anyOf` with one type each, or leave the property out of `required`.",
    report="A function with a property of several types is rejected.",
    good=[answered(_REQUEST)],
    bad=[
        refused(
            _REQUEST,
            "Proto field is not repeating, cannot start list at 'tools[0].function.parameters.properties.city.type'.",
        )
    ],
)
def type_array_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "type-array")
