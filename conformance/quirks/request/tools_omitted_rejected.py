"""The server rejects calls in the history when no tools are offered.

A last turn that only sums up offers no tools any more; the calls before it stay in the history. Gateways whose
upstream wants the tools declared again reject it.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import answered, documented, history, past_result, refused, rejected, turn
from conformance.wire.transcript import Transcript

_REQUEST = history(turn(), past_result(), tools=None)


@quirk(
    level="should",
    needs=["tools-omitted"],
    sources=[documented("tools"), documented("messages")],
    seen=[issue("pydantic/pydantic-ai#5929"), issue("BerriAI/litellm#31400", "litellm")],
    expected="an answer",
    guard="Send the tools again with `tool_choice: none`.",
    report="A history with tool calls is rejected when `tools` is left out.",
    good=[answered(_REQUEST)],
    bad=[refused(_REQUEST, "The toolConfig field must be defined when using toolUse and toolResult content blocks.")],
)
def tools_omitted_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "tools-omitted")
