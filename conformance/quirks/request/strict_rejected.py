"""The server rejects a function with `strict: true`.

The API reference documents the field. Frameworks send it with every tool.
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
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
            "additionalProperties": False,
        },
        strict=True,
    )
)


@quirk(
    level="should",
    needs=["strict"],
    sources=[documented("tools")],
    seen=[issue("OpenCoworkAI/open-cowork#232", "tokenmix", "2026-05-31")],
    expected="an answer",
    guard="Leave `strict` out.",
    report="A function with `strict: true` is rejected.",
    good=[answered(_REQUEST)],
    bad=[refused(_REQUEST, "tools[0].function.strict: extra fields not permitted", "tools[0].function.strict")],
)
def strict_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "strict")
