"""What the quirks of this area share: their source, and examples of a stream beside a complete answer."""

from __future__ import annotations

from typing import Any, Final

from conformance.quirks.common import (
    GOOD_COMPLETE,
    GOOD_STREAM,
    PARIS,
    TOKYO,
    beside,
    calls,
    complete,
    entry,
    reference,
    stream,
)
from conformance.quirks.registry import Example

SAME_REQUEST: Final = reference("003", "compare with stream: false")
GOOD_BOTH: Final = beside(GOOD_STREAM, GOOD_COMPLETE)
OTHER_VALUE: Final = beside(GOOD_STREAM, complete(entry(..., "call_c3", "get_weather", TOKYO)))
"""The model said something else the second time."""
COMPARE: Final = "Ask the same again with `stream: false`, and hold the two answers against each other."


def one_call(**fields: Any) -> Example:
    """A stream with one call; fields of its entry differ from an honest one, `...` leaves one out."""
    return stream(calls(_entry(0, fields)))


def one_call_complete(**fields: Any) -> Example:
    """The same with `stream: false`."""
    return complete(_entry(..., fields))


def _entry(index: Any, fields: dict[str, Any]) -> dict[str, Any]:
    return entry(index, **{"id": "call_a1", "name": "get_weather", "arguments": PARIS, "type": "function", **fields})
