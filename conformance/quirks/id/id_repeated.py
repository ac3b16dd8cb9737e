"""Continuations repeat the id.

A client that takes every id for a new call runs fragments as calls of their own.
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
    sources=[reference("000", "§1"), issue("JetBrains/koog#2052")],
    seen=[issue("AstrBotDevs/AstrBot#7735"), issue("LionSR/TeXRA#4575")],
    expected="the id in the first entry only",
    guard="Key by index; an id that is already held changes nothing.",
    report="Continuation deltas repeat the call's id; OpenAI sends it once.",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", "")), calls(entry(0, "call_a1", arguments=PARIS, type=...)))],
)
def id_repeated(t: Transcript) -> Iterator[Hit]:
    for call, mark, count in marked(t, Fact.ID_REPEATED):
        yield Hit(
            f"{of_call(call)}: {counted(count, 'continuation repeats', 'continuations repeat')} the id",
            f"id {mark.sample!r}",
            mark,
            call,
        )
