"""A tool message in the history has no content.

Providers require it, be it an empty string.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_PAST, past, past_call, past_turn, reference
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    layer="client",
    needs=["history"],
    assembled=True,
    sources=[reference("000", "§3")],
    expected="a string, or an array of text parts",
    guard="Send an empty string where a tool returns nothing.",
    report="The client sends a tool message without content.",
    good=[GOOD_PAST],
    bad=[past(past_turn(past_call()), {"role": "tool", "tool_call_id": "call_a1", "content": None})],
)
def result_without_content(t: Transcript) -> Iterator[Hit]:
    for position, message in enumerate(t.asked.messages):
        if message.get("role") == "tool" and message.get("content") is None:
            yield Hit(f"message {position} has no content", "content null or absent", pointer=f"/messages/{position}")
