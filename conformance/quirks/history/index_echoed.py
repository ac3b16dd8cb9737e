"""A call in the history carries the `index` of its stream.

It belongs to the stream only; strict providers reject the unknown field.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_PAST, past, past_call, past_result, past_turn, reference
from conformance.quirks.history._turns import calls_of
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    layer="client",
    needs=["history"],
    assembled=True,
    sources=[reference("000", "§3")],
    expected="id, type and function",
    guard="Build the history's calls from id, type and function; do not copy the deltas.",
    report="The client sends `index` back inside `tool_calls`.",
    good=[GOOD_PAST],
    bad=[past(past_turn(past_call(index=0)), past_result())],
)
def index_echoed(t: Transcript) -> Iterator[Hit]:
    for position, message in enumerate(t.asked.messages):
        for number, call in enumerate(calls_of(message)):
            if "index" in call:
                yield Hit(
                    f"call {number} of message {position} carries an index",
                    f"index {call['index']!r}",
                    pointer=f"/messages/{position}/tool_calls/{number}/index",
                )
