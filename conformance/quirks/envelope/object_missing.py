"""`object` is absent, empty, or another word than the reference's.

Clients that tell chunks from completions by it go astray.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import (
    GOOD_COMPLETE,
    GOOD_STREAM,
    TOOLS,
    api,
    in_chunks,
    spelled,
)
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["choices", "presence"],
    sources=[api()],
    expected="`chat.completion.chunk` in a stream, `chat.completion` in a complete answer",
    guard="Tell chunks by what was asked for.",
    report="`object` is absent or not the value the reference gives.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[Example(GOOD_STREAM.body.replace("chat.completion.chunk", "chat.completion"), TOOLS)],
)
def object_missing(t: Transcript) -> Iterator[Hit]:
    if Fact.ERROR in t.facts:
        return
    for fact in (Fact.OBJECT_MISSING, Fact.OBJECT_OTHER):
        mark = t.facts.get(fact)
        if mark is not None:
            actual = mark.sample if fact == Fact.OBJECT_OTHER else spelled(mark)
            yield Hit(
                f"{in_chunks(t, mark.count, 'has', 'have')} another `object` than the reference",
                f"object {actual}",
                mark,
            )
