"""A complete answer's choice carries `delta` instead of `message`.

Clients read `message` and find nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, TOOLS, api
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    modes=["complete"],
    needs=["choices"],
    sources=[api("chat")],
    expected="a `message` object",
    guard="None; ask for a stream instead.",
    report="A complete answer carries `delta` where `message` belongs.",
    good=[GOOD_COMPLETE],
    bad=[Example(GOOD_COMPLETE.body.replace('"message"', '"delta"'), {**TOOLS, "stream": False})],
)
def delta_in_complete_answer(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.DELTA_BESIDE_MESSAGE)
        if mark is not None and "alone" in mark.spellings:
            yield Hit(f"choice {choice.index} carries a delta", "delta", mark, choice=choice)
