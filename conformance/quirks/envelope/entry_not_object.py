"""`tool_calls` holds an entry that is no object.

Clients that read its fields fail.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, PARIS, api, complete, counted, entry, spelled
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["choices"],
    sources=[api()],
    expected="objects",
    guard="Skip entries that are not objects.",
    report="`tool_calls` holds null or a scalar.",
    good=[GOOD_COMPLETE],
    bad=[complete(entry(..., "call_a1", "get_weather", PARIS), None)],
)
def entry_not_object(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.ENTRY_NOT_OBJECT)
        if mark is not None:
            yield Hit(
                f"{counted(mark.count, 'entry is no object', 'entries are no objects')}",
                spelled(mark),
                mark,
                choice=choice,
            )
