"""Continuations carry an empty id.

An accumulator that sets the id whenever one is present overwrites the real id with `""`: the link is lost, while the
arguments look fine.
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
        issue("openai/openai-dotnet#408"),
    ],
    expected="no `id` after the first entry",
    guard="Overwrite only with a non-empty id.",
    guard_python="if entry.id and not call.id:\n    call.id = entry.id",
    guard_typescript="if (entry.id && !call.id) call.id = entry.id;",
    report='Continuation deltas carry `"id": ""`; OpenAI leaves the field out, and clients overwrite the real id.',
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", "")), calls(entry(0, "", arguments=PARIS)))],
)
def id_empty_on_continuation(t: Transcript) -> Iterator[Hit]:
    for call, mark, count in marked(t, Fact.ID_BLANK_CONTINUATION, "empty"):
        yield Hit(
            f"{of_call(call)}: {counted(count, 'continuation carries', 'continuations carry')} an empty id",
            'id ""',
            mark,
            call,
            level=None,
        )
