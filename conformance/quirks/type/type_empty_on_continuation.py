"""Continuations carry an empty type.

An accumulator that sets the type whenever one is present loses it; typed clients reject the value.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import (
    GOOD_STREAM,
    PARIS,
    calls,
    counted,
    entry,
    issue,
    marked,
    of_call,
    reference,
    stream,
)
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["continuations"],
    sources=[reference("000", "§1"), issue("openai/openai-dotnet#408")],
    seen=[issue("anomalyco/opencode#37841"), issue("pig-mesh/deepseek4j#84")],
    expected="no `type` after the first entry",
    guard="Overwrite only with a non-empty type.",
    report='Continuation deltas carry `"type": ""`; OpenAI leaves the field out.',
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", "")), calls(entry(0, arguments=PARIS, type="")))],
)
def type_empty_on_continuation(t: Transcript) -> Iterator[Hit]:
    for call, mark, count in marked(t, Fact.TYPE_BLANK_CONTINUATION, "empty"):
        yield Hit(
            f"{of_call(call)}: {counted(count, 'continuation carries', 'continuations carry')} an empty type",
            'type ""',
            mark,
            call,
        )
