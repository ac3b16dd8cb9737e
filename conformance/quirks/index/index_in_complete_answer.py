"""A call in a complete answer carries an `index`.

Harmless, unless it is copied into the history, where OpenAI rejects the unknown field.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, PARIS, api, complete, entry, marked, of_call
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["complete"],
    needs=["calls"],
    sources=[api("chat")],
    expected="no `index` in `message.tool_calls`",
    guard="Send only id, type and function back in the history.",
    report="",
    good=[GOOD_COMPLETE],
    bad=[complete(entry(0, "call_a1", "get_weather", PARIS))],
)
def index_in_complete_answer(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.INDEX_PRESENT):
        yield Hit(f"{of_call(call)} carries index {mark.sample}", f"index {mark.sample}", mark, call)
