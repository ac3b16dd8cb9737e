"""The completion's `id` changes in the middle of a stream.

Clients that group chunks by id take one answer for several.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, api, in_chunks
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["choices", "ids"],
    sources=[api()],
    expected="the same id in every chunk",
    guard="Group chunks by connection, not by id.",
    report="Chunks of one stream carry different `id`s.",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body.replace('"id":"chatcmpl-1"', '"id":"chatcmpl-0"', 1), TOOLS)],
)
def chunk_id_changing(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.CHUNK_ID_CHANGED)
    if mark is not None:
        yield Hit(
            f"{in_chunks(t, mark.count, 'carries', 'carry')} another id than the first", f"id {mark.sample!r}", mark
        )
