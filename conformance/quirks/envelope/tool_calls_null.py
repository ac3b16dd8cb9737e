"""`tool_calls` is null where there are no calls.

Legal and widely done.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_TEXT, api, counted, issue, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    needs=["choices", "presence"],
    sources=[api(), issue("Effect-TS/effect#7269")],
    expected="no `tool_calls` field where there are no calls",
    guard="Ask whether the array has entries, not whether it is there.",
    report="",
    good=[GOOD_TEXT],
    bad=[stream({"content": "It is mild.", "tool_calls": None}, finish="stop")],
)
def tool_calls_null(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.TOOL_CALLS_NULL)
        if mark is not None:
            yield Hit(f"`tool_calls` is null {counted(mark.count, 'time')}", "tool_calls null", mark, choice=choice)
