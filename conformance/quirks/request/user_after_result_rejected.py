"""The server rejects a user message right after a tool result.

A user who interrupts leaves exactly this history. Templates that demand an assistant message between the two end the
conversation for good.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, history, past_result, refused, rejected, turn
from conformance.wire.transcript import Transcript

_REQUEST = history(turn(), past_result(), {"role": "user", "content": "And Rome?"})


@quirk(
    level="should",
    needs=["user-after-result"],
    sources=[documented("messages")],
    seen=[
        issue("zed-industries/zed#37021", "mistral", "2025-08-27"),
        issue("NousResearch/hermes-agent#20154", "nvidia", "2026-05-05"),
        issue("mistralai/mistral-vibe#578", "vllm", "2026-04-09"),
    ],
    expected="an answer",
    guard="Insert an assistant message before the user's.",
    report="A user message that follows a tool message is rejected.",
    good=[answered(_REQUEST)],
    bad=[refused(_REQUEST, "Unexpected role 'user' after role 'tool'")],
)
def user_after_result_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "user-after-result")
