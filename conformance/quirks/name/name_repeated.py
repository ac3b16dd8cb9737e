"""Continuations repeat the name.

A client that appends names, as some do for split ones, ends with `get_weatherget_weather`.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, calls, counted, entry, marked, of_call, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["continuations"],
    sources=[reference("000", "§1"), reference("001")],
    expected="the name in the first entry only",
    guard="Set the name once; a name that is already held changes nothing.",
    guard_python="if entry.function and entry.function.name and not call.name:\n    call.name = entry.function.name",
    guard_typescript="if (entry.function?.name && !call.name) call.name = entry.function.name;",
    report="Continuation deltas repeat `function.name`; OpenAI sends it once.",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", "")), calls(entry(0, ..., "get_weather", PARIS)))],
)
def name_repeated(t: Transcript) -> Iterator[Hit]:
    for call, mark, count in marked(t, Fact.NAME_REPEATED):
        yield Hit(
            f"{of_call(call)}: {counted(count, 'continuation repeats', 'continuations repeat')} the name",
            f"name {mark.sample!r}",
            mark,
            call,
        )
