"""The finish reason is `tool_calls` although no call came.

The call was lost on the way, or leaked into the text. An agent waits for results of nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, api, complete, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["choices", "whole", "no-error"],
    sources=[api()],
    expected="at least one call, or `stop`",
    guard="Where no call came, treat the turn as text, and ask again if there is none.",
    report="An answer without tool calls ends with `finish_reason: tool_calls`.",
    good=[GOOD_STREAM],
    bad=[stream({"content": "Let me look."}), complete(content="Let me look.")],
)
def finish_tool_calls_without_calls(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        if choice.finish_reason in ("tool_calls", "function_call") and not choice.calls:
            mark = choice.facts[Fact.FINISH]
            yield Hit("no call came", f"finish_reason {choice.finish_reason}", mark, choice=choice)
