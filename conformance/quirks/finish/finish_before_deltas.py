"""Calls or content follow the finish reason.

A client that acts on the finish reason acts too early: it runs cut arguments, or misses calls.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import (
    GOOD_STREAM,
    PARIS,
    TOOLS,
    api,
    calls,
    chunk,
    counted,
    entry,
    events,
    issue,
    reference,
)
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    modes=["stream"],
    needs=["choices"],
    sources=[reference("000", "§1"), api()],
    seen=[issue("ducks/claux#43"), issue("BerriAI/litellm#31634")],
    expected="nothing after the finish reason but usage and `[DONE]`",
    guard="Read to the end of the stream before acting.",
    report="Deltas with calls or content follow a chunk that carries a finish reason.",
    good=[GOOD_STREAM],
    bad=[
        Example(
            events(
                chunk(calls(entry(0, "call_a1", "get_weather", ""), role="assistant", content=None)),
                chunk({}, "tool_calls"),
                chunk(calls(entry(0, arguments=PARIS))),
                "[DONE]",
            ),
            TOOLS,
        )
    ],
)
def finish_before_deltas(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.DELTA_AFTER_FINISH)
        if mark is not None:
            what = " and ".join(mark.spellings)
            yield Hit(
                f"{counted(mark.count, f'delta with {what} follows', f'deltas with {what} follow')} the finish reason",
                what,
                mark,
                choice=choice,
            )
