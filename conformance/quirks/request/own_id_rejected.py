"""The server rejects a history that holds tool results.

The round trip is the contract of tool calling: an assistant message with calls, and a result for each id. Where the
server made the id itself, it must take it back.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, TOOLS, reference
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["request", "history"],
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
    if t.exchange.status not in (400, 422):
        return
    said = str(t.error.get("message") if t.error else t.body[:200].decode("utf-8", "replace"))
    if "tool_call_id" in said or "tool call id" in said.lower() or "tool_calls" in said:
        yield Hit("the history is rejected over its tool calls", said)
