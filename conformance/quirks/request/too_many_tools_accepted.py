"""The server accepts more than 128 tools.

The API reference allows 128. What works here is rejected there.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import accepted, answered, documented, function, offer, refused
from conformance.wire.transcript import Transcript

_REQUEST = offer(*(function(f"f{number}") for number in range(129)))


@quirk(
    level="info",
    needs=["too-many-tools"],
    sources=[documented("tools")],
    seen=[issue("zed-industries/zed#32946"), issue("musistudio/claude-code-router#686")],
    expected="an error that names the limit",
    guard="Offer at most 128 tools.",
    report="",
    good=[
        refused(
            _REQUEST,
            "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 129 instead.",
            "tools",
        )
    ],
    bad=[answered(_REQUEST)],
)
def too_many_tools_accepted(t: Transcript) -> Iterator[Hit]:
    yield from accepted(t, "too-many-tools")
