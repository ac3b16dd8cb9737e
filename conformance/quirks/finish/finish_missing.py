"""No finish reason ever comes.

An agent that runs calls only on `finish_reason: "tool_calls"` never runs them; one that does not look cannot tell a
whole answer from a cut one.
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
    issue,
    reference,
    stream,
)
from conformance.quirks.finish._missing import never_ends
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["choices", "whole", "no-error"],
    sources=[reference("000", "§1"), reference("001"), api()],
    seen=[issue("waybarrios/vllm-mlx#672"), issue("earendil-works/pi#6226")],
    expected="`tool_calls`, `stop`, `length` or another reason on the last chunk of every choice",
    guard="Where `[DONE]` came and the arguments parse, take the calls; otherwise ask again.",
    report="No chunk (or the choice) carries a `finish_reason`.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[
        stream(calls(entry(0, "call_a1", "get_weather", PARIS)), finish=None),
        complete(entry(..., "call_a1", "get_weather", PARIS), finish=None),
    ],
)
def finish_missing(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        if never_ends(t, choice):
            last = t.events - 1 if t.mode == "stream" else None
            empty = Fact.FINISH_EMPTY in choice.facts
            yield Hit(
                "no finish reason comes",
                'finish_reason ""' if empty else "finish_reason null or absent",
                choice=choice,
                event=last,
            )
