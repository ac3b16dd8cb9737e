"""`model` or `created` changes in the middle of a stream.

Harmless for most; a trace that groups by them splits the answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, api, in_chunks
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["choices"],
    sources=[api()],
    expected="the same values in every chunk",
    guard="Take the first.",
    report="",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body.replace('"model":"m"', '"model":"m-0"', 1), TOOLS)],
)
def envelope_varies(t: Transcript) -> Iterator[Hit]:
    for fact, field in ((Fact.MODEL_CHANGED, "model"), (Fact.CREATED_CHANGED, "created")):
        mark = t.facts.get(fact)
        if mark is not None:
            yield Hit(
                f"{in_chunks(t, mark.count, 'carries', 'carry')} another {field} than the first",
                f"{field} {mark.sample}",
                mark,
            )
