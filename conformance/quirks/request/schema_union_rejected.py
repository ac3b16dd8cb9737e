"""The server rejects a function whose schema is a union.

OpenAI rejects `oneOf`, `anyOf` and `allOf` at the root. Others take them. An error has to say which tool it is about.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, function, offer, refused, rejected
from conformance.wire.transcript import Transcript

_REQUEST = offer(
    function(
        parameters={
            "type": "object",
            "properties": {"one": {"type": "string"}, "many": {"type": "array", "items": {"type": "string"}}},
            "oneOf": [{"required": ["one"]}, {"required": ["many"]}],
        }
    )
)


@quirk(
    level="info",
    needs=["schema-union"],
    sources=[documented("tools")],
    seen=[issue("A3S-Lab/Code#135"), issue("openai/codex#41233", "openai")],
    expected="an answer, or an error that names the function",
    guard="Merge the alternatives into one object with optional properties.",
    report="",
    good=[answered(_REQUEST)],
    bad=[
        refused(
            _REQUEST,
            "Invalid schema for function 'get_weather': schema must not have 'oneOf' at the top level.",
            "tools[0].function.parameters",
        )
    ],
)
def schema_union_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "schema-union")
