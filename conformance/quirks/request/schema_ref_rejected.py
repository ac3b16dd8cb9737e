"""The server rejects `$ref` in the schema of a function.

Parameters are a JSON Schema, and the schemas that libraries derive from types hold `$ref` and `$defs`.
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
            "properties": {"at": {"$ref": "#/$defs/place"}},
            "$defs": {"place": {"type": "string"}},
        }
    )
)


@quirk(
    level="should",
    needs=["schema-ref"],
    sources=[documented("tools")],
    seen=[issue("CommandCodeAI/command-code#566"), issue("huggingface/text-generation-inference#2876", "tgi")],
    expected="an answer",
    guard="Replace each reference by what it refers to.",
    report="A function whose parameters use `$ref` and `$defs` is rejected.",
    good=[answered(_REQUEST)],
    bad=[refused(_REQUEST, "tools[0].function.parameters: Unresolvable reference '#/$defs/place'")],
)
def schema_ref_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "schema-ref")
