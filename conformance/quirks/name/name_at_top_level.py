"""Name or arguments stand beside `function` instead of inside it.

Clients read `function.name` and find nothing: the call is lost.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import (
    GOOD_COMPLETE,
    PARIS,
    api,
    complete,
    marked,
    of_call,
    reference,
    spelled,
)
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["calls"],
    sources=[reference("000", "§1"), api()],
    expected="name and arguments inside `function`",
    guard="Where `function` is absent, take `name` and `arguments` from the entry itself.",
    report="Tool calls carry `name` and `arguments` at the top of the entry instead of inside `function`.",
    good=[GOOD_COMPLETE],
    bad=[complete({"id": "call_a1", "type": "function", "name": "get_weather", "arguments": PARIS})],
    also={"function-missing"},
)
def name_at_top_level(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.NAME_AT_TOP):
        yield Hit(f"{of_call(call)}: {spelled(mark)} beside `function`", spelled(mark), mark, call)
