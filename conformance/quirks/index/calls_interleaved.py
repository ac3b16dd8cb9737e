"""Deltas of one call come between deltas of another.

Legal, and what the index is for. A client that always continues the last call mixes the arguments.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import (
    GOOD_PARALLEL,
    PARIS,
    TOKYO,
    calls,
    counted,
    entry,
    marked,
    of_call,
    reference,
    stream,
)
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["two-calls"],
    sources=[reference("000", "§1 parallel tool calls")],
    expected="one call after the other, or correct accumulation by index",
    guard="Accumulate every index on its own.",
    report="",
    good=[GOOD_PARALLEL],
    bad=[
        stream(
            calls(entry(0, "call_a1", "get_weather", "")),
            calls(entry(1, "call_b2", "get_weather", "")),
            calls(entry(0, arguments=PARIS)),
            calls(entry(1, arguments=TOKYO)),
        )
    ],
)
def calls_interleaved(t: Transcript) -> Iterator[Hit]:
    for call, mark, count in marked(t, Fact.INTERLEAVED):
        yield Hit(
            f"{of_call(call)} is continued {counted(count, 'time')} after another call", "interleaved", mark, call
        )
