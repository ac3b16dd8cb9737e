"""Continuations repeat the type.

Harmless for a client that sets it; one that appends ends with `functionfunction`.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, calls, counted, entry, marked, of_call, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["continuations"],
    sources=[reference("000", "§1")],
    expected="the type in the first entry only",
    guard="Set the type, do not append it.",
    report="",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", "")), calls(entry(0, arguments=PARIS, type="function")))],
)
def type_repeated(t: Transcript) -> Iterator[Hit]:
    for call, mark, count in marked(t, Fact.TYPE_REPEATED):
        yield Hit(
            f"{of_call(call)}: {counted(count, 'continuation repeats', 'continuations repeat')} the type",
            f"type {mark.sample!r}",
            mark,
            call,
        )
