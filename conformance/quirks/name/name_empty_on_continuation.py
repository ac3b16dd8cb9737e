"""Continuations carry an empty name.

An accumulator that sets the name whenever one is present overwrites it with `""` and reports an unknown tool.
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
from conformance.quirks.registry import Hit, Source, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["continuations"],
    sources=[reference("000", "§5, the empty-string overwrite trap")],
    seen=[
        Source("Reference 000, §5", date="2026-11-30", provider="alibaba-compatible"),
        issue("anomalyco/opencode#37841"),
    ],
    expected="no `name` after the first entry",
    guard="Overwrite only with a non-empty name.",
    guard_python="if entry.function and entry.function.name and not call.name:\n    call.name = entry.function.name",
    guard_typescript="if (entry.function?.name && !call.name) call.name = entry.function.name;",
    report='Continuation deltas carry `"name": ""`; OpenAI leaves the field out, and clients overwrite the real name.',
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", "")), calls(entry(0, ..., "", PARIS)))],
)
def name_empty_on_continuation(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.NAME_BLANK_CONTINUATION, "empty"):
        count = mark.spellings["empty"]
        yield Hit(
            f"{of_call(call)}: {counted(count, 'continuation carries', 'continuations carry')} an empty name",
            'name ""',
            mark,
            call,
        )
