"""The server rejects a function without parameters.

The API reference lets a function leave `parameters` out: it takes none.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, function, offer, refused, rejected
from conformance.wire.transcript import Transcript

_REQUEST = offer(function(parameters=None))


@quirk(
    level="should",
    needs=["parameters-absent"],
    sources=[documented("tools")],
    seen=[issue("SAP/astonish#152"), issue("farion1231/cc-switch#5490")],
    expected="an answer",
    guard='Send `{"type": "object", "properties": {}}`.',
    report="A function without `parameters` is rejected.",
    good=[answered(_REQUEST)],
    bad=[refused(_REQUEST, "tools.0.function.parameters: Field required")],
)
def parameters_absent_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "parameters-absent")
