"""Chunks leave `finish_reason` out.

Legal enough while the answer goes on; typed clients that require the key reject the chunk.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, api, counted
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["choices", "presence"],
    sources=[api()],
    expected="null until the answer ends",
    guard="Read an absent finish reason as null.",
    report="",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body.replace(',"finish_reason":null', ""), TOOLS)],
)
def finish_key_absent(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.FINISH_MISSING)
        if mark is not None:
            yield Hit(
                f"{counted(mark.count, 'chunk leaves', 'chunks leave')} the finish reason out",
                "finish_reason absent",
                mark,
                choice=choice,
            )
