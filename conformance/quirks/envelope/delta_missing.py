"""A streamed choice has no `delta` object.

Clients that read `choice.delta.content` without looking fail, mostly on the finish chunk.
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
    entry,
    events,
    in_chunks,
    issue,
    spelled,
)
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["choices", "presence"],
    sources=[api(), issue("microsoft/agent-framework#5734"), issue("microsoft/autogen#6465")],
    seen=[issue("meltylabs/chorus#64")],
    expected="a `delta` object, be it empty",
    guard="Read an absent or null `delta` as an empty object.",
    guard_python="entries = choice.delta.tool_calls or [] if choice.delta else []",
    guard_typescript="const entries = choice.delta?.tool_calls ?? [];",
    report="A chunk's choice has no `delta` object (absent or null).",
    good=[GOOD_STREAM],
    bad=[
        Example(
            events(
                chunk(calls(entry(0, "call_a1", "get_weather", PARIS), role="assistant", content=None)),
                {**chunk(), "choices": [{"index": 0, "delta": None, "finish_reason": "tool_calls"}]},
                "[DONE]",
            ),
            TOOLS,
        )
    ],
)
def delta_missing(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.DELTA_MISSING)
        if mark is not None:
            yield Hit(
                f"{in_chunks(t, mark.count, 'has', 'have')} no delta ({spelled(mark)})",
                f"delta {spelled(mark)}",
                mark,
                choice=choice,
            )
