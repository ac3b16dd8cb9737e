"""The server rejects a field that the API reference does not know.

OpenAI does, most compatible servers ignore it. Clients that send one provider's extensions to another need to know
which.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, function, offer, refused, rejected
from conformance.wire.transcript import Transcript

_REQUEST = offer(function(), x_unknown=True)


@quirk(
    level="info",
    needs=["unknown-field"],
    sources=[documented("messages")],
    expected="an answer, or an error that names the field",
    guard="Send extensions only to the provider that documents them.",
    report="",
    good=[answered(_REQUEST)],
    bad=[refused(_REQUEST, "Unrecognized request argument supplied: x_unknown")],
)
def unknown_field_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "unknown-field")
