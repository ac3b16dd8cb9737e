"""Chunks or the body come without an `id`.

Logs and traces cannot link the answer; typed clients reject it.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, api, in_chunks, spelled
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["choices", "presence"],
    sources=[api()],
    expected="a non-empty string",
    guard="Read an absent id as unknown.",
    report="The completion's `id` is absent or empty.",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body.replace('"id":"chatcmpl-1"', '"id":""'), TOOLS)],
)
def chunk_id_missing(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.CHUNK_ID_MISSING)
    if mark is not None and Fact.ERROR not in t.facts:
        yield Hit(f"{in_chunks(t, mark.count, 'has', 'have')} no id ({spelled(mark)})", f"id {spelled(mark)}", mark)
