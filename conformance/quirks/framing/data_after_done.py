"""Events with data follow `[DONE]`.

Clients stop reading at `[DONE]`: what comes later, be it usage or a call, is lost.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, api, counted, events
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["framing"],
    sources=[api()],
    expected="nothing after `[DONE]`",
    guard="None on the client side, unless it reads on until the connection closes.",
    report="The stream goes on with data after `data: [DONE]`.",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body + events({"note": "bye"}), TOOLS)],
    also={"choices-missing", "chunk-id-missing", "created-missing", "model-missing", "object-missing"},
)
def data_after_done(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.DATA_AFTER_DONE)
    if mark is not None and not str(mark.sample).strip().startswith("[DONE]"):
        yield Hit(
            f"{counted(mark.count, 'event with data follows', 'events with data follow')} `[DONE]`",
            str(mark.sample),
            mark,
        )
