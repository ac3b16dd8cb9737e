"""The server rejects a history that holds tool results.

The round trip is the contract of tool calling: an assistant message with calls, and a result for each id. Where the
server made the id itself, it must take it back. A history that breaks the contract, an id that a scenario made up, and
an error that asks for another form of id (no server asks for another form than its own) say nothing about that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from conformance.quirks.asked import traits
from conformance.quirks.common import GOOD_STREAM, PARIS, TOOLS, reference
from conformance.quirks.registry import Example, Hit, quirk
from conformance.quirks.rejection import blamed, said
from conformance.quirks.request._verdict import short
from conformance.wire.transcript import Transcript

_BROKEN: Final = frozenset(
    ("result-missing", "result-orphan", "arguments-empty", "arguments-invalid", "arguments-object")
)


@quirk(
    level="must",
    needs=["request", "history", "own-ids"],
    sources=[reference("000", "§3")],
    expected="an answer that uses the results",
    guard="None; send the results as text in a user message, and report it.",
    report="A history with the server's own tool-call ids is rejected.",
    good=[GOOD_STREAM],
    bad=[
        Example(
            '{"error":{"message":"invalid tool_call_id","code":400}}',
            {
                **TOOLS,
                "messages": [
                    {"role": "user", "content": "Paris?"},
                    {
                        "role": "assistant",
                        "content": None,
                        "tool_calls": [
                            {
                                "id": "call_a1",
                                "type": "function",
                                "function": {"name": "get_weather", "arguments": PARIS},
                            }
                        ],
                    },
                    {"role": "tool", "tool_call_id": "call_a1", "content": "mild"},
                ],
            },
            status=400,
        )
    ],
)
def own_id_rejected(t: Transcript) -> Iterator[Hit]:
    if t.exchange.status not in (400, 422) or blamed(t) is not None:
        return
    text = said(t).lower()
    names_calls = "tool_call_id" in text or "tool call id" in text or "tool_calls" in text
    if names_calls and not _BROKEN & traits(t.asked).keys():
        yield Hit("the history is rejected over its tool calls", short(t))
