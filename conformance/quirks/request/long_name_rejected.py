"""The server rejects a function name of up to 64 characters.

The API reference allows 64. Names with a server's prefix come near it.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, function, offer, refused, rejected
from conformance.wire.transcript import Transcript

_REQUEST = offer(function("a123456789b123456789c123456789d123456789e123456789f123456789g123"))


@quirk(
    level="should",
    needs=["long-name"],
    sources=[documented("tools")],
    seen=[issue("google-gemini/gemini-cli#2966", "gemini"), issue("microsoft/semantic-kernel#5320")],
    expected="an answer",
    guard="Shorten names, and keep a table to restore them.",
    report="A function name of 64 characters is rejected.",
    good=[answered(_REQUEST)],
    bad=[
        refused(_REQUEST, "tools[0].function.name: string should have at most 63 characters", "tools[0].function.name")
    ],
)
def long_name_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "long-name")
