"""A chunk or body has no `choices`.

Clients that read `choices[0]` fail on it.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, api, events, in_chunks, spelled
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["answer", "no-error"],
    sources=[api()],
    expected="a `choices` array, be it empty",
    guard="Skip chunks without choices.",
    guard_python='choices = chunk.get("choices") or []',
    guard_typescript="for (const choice of chunk.choices ?? [])",
    report="A chunk carries no `choices` array.",
    good=[GOOD_STREAM],
    bad=[
        Example(
            events({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"})
            + GOOD_STREAM.body,
            TOOLS,
        )
    ],
)
def choices_missing(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.CHOICES_MISSING)
    if mark is not None:
        yield Hit(
            f"{in_chunks(t, mark.count, 'has', 'have')} no choices ({spelled(mark)})", f"fields {mark.sample}", mark
        )
