"""A choice has no usable `index`.

With several choices, or a client that files by index, texts are mixed.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, api, counted, reference, spelled
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["choices", "presence"],
    sources=[reference("003", "distinguish the two index fields"), api()],
    expected="a whole number of 0 or more",
    guard="With one choice, read an absent index as 0.",
    report="`choices[].index` is absent or not a number.",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body.replace('"choices":[{"index":0,', '"choices":[{'), TOOLS)],
)
def choice_index_missing(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.CHOICE_INDEX_MISSING)
    if mark is not None:
        yield Hit(
            f"{counted(mark.count, 'choice has', 'choices have')} no index ({spelled(mark)})",
            f"index {spelled(mark)}",
            mark,
        )
