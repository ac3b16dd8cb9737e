"""A call never gets a name.

The call cannot be run. An agent that runs it anyway reports an unknown tool with an empty name.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import (
    GOOD_COMPLETE,
    GOOD_STREAM,
    PARIS,
    api,
    calls,
    complete,
    entry,
    reference,
    spelled,
    stream,
)
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["calls"],
    sources=[reference("000", "§1"), api()],
    expected="the function's name in the first entry of the call",
    guard="Do not run a call without a name; answer it with an error result, so that the history stays linked.",
    guard_python="runnable = [c for c in calls if c.name]",
    report="A tool call comes without `function.name`.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[
        stream(calls(entry(0, "call_a1", ..., PARIS))),
        stream(calls(entry(0, "call_a1", "", PARIS))),
        complete(entry(..., "call_a1", None, PARIS)),
    ],
)
def name_missing(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if not call.name:
            mark = call.facts.get(Fact.NAME_MISSING_OPENING)
            how = spelled(mark) if mark else "absent"
            yield Hit(
                f"call {call.index} never gets a name ({how})",
                f"name {how}",
                mark,
                call,
                event=call.opened[0],
                pointer=call.opened[1],
            )
