"""`created` is absent or no whole number.

Typed clients reject the chunk.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, api, came, in_chunks, spelled
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["choices", "presence"],
    sources=[api()],
    expected="seconds since 1970 as a whole number",
    guard="Read an absent time as unknown.",
    report="`created` is absent or not an integer.",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body.replace('"created":1', '"created":null'), TOOLS)],
)
def created_missing(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.CREATED_MISSING)
    if mark is not None and Fact.ERROR not in t.facts:
        yield Hit(
            f"{in_chunks(t, mark.count, 'has', 'have')} no proper `created` ({spelled(mark)})",
            came("created", mark),
            mark,
        )
