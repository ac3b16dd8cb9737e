"""The server accepts a function name with forbidden characters.

Letters, digits, underscores and dashes, says the API reference. Names with a dot come from namespaces; they work here
and are rejected there.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import accepted, answered, documented, function, offer, refused
from conformance.wire.transcript import Transcript

_REQUEST = offer(function("weather.get"))


@quirk(
    level="info",
    needs=["dotted-name"],
    sources=[documented("tools")],
    seen=[issue("hostinger/api-mcp-server#40", "moonshot", "2026-06-09")],
    expected="an error that names the function",
    guard="Replace other characters by an underscore, and keep a table to restore the names.",
    report="",
    good=[
        refused(
            _REQUEST,
            "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
            "tools[0].function.name",
        )
    ],
    bad=[answered(_REQUEST)],
)
def dotted_name_accepted(t: Transcript) -> Iterator[Hit]:
    yield from accepted(t, "dotted-name")
