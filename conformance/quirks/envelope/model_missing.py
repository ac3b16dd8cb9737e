"""`model` is absent or empty.

Typed clients reject the chunk; bills and traces name no model.
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
    guard="Use the model that was asked for.",
    report="`model` is absent or empty.",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body.replace('"model":"m"', '"model":""'), TOOLS)],
)
def model_missing(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.MODEL_MISSING)
    if mark is not None and Fact.ERROR not in t.facts:
        yield Hit(
            f"{in_chunks(t, mark.count, 'names', 'name')} no model ({spelled(mark)})", f"model {spelled(mark)}", mark
        )
