"""A choice has an index beyond the number that was asked for.

Clients read choice 0 only and lose what stands in the other one.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, api, in_chunks, reference
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["choices", "request"],
    sources=[reference("003", "distinguish the two index fields"), api()],
    expected="indexes below `n`",
    guard="With `n` absent or 1, read all choices as one.",
    report="An answer to a request for one choice carries choices with a higher index.",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body.replace('"choices":[{"index":0,', '"choices":[{"index":1,'), TOOLS)],
)
def choice_index_beyond(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.CHOICE_INDEX_BEYOND)
    if mark is not None:
        yield Hit(f"{in_chunks(t, mark.count, 'carries', 'carry')} choice {mark.sample}", f"index {mark.sample}", mark)
