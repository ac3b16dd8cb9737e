"""`tool_calls` is an empty array where there are no calls.

Clients that ask whether the field is there begin a tool turn, or end the text message, on every delta.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_TEXT, api, complete, counted, issue, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["choices"],
    sources=[api(), issue("decolua/9router#3236")],
    seen=[issue("microsoft/foundry-local#221"), issue("openai/openai-go#688"), issue("BerriAI/litellm#17523")],
    expected="no `tool_calls` field where there are no calls",
    guard="Ask whether the array has entries, not whether it is there.",
    guard_python="entries = delta.tool_calls or []",
    guard_typescript="for (const entry of delta.tool_calls ?? [])",
    report="Deltas (or messages) without calls carry `tool_calls: []`.",
    good=[GOOD_TEXT],
    bad=[
        stream({"content": "It is ", "tool_calls": []}, {"content": "mild.", "tool_calls": []}, finish="stop"),
        complete(finish="stop", content="It is mild.", tool_calls=[]),
    ],
)
def tool_calls_empty_array(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.TOOL_CALLS_EMPTY)
        if mark is not None:
            yield Hit(
                f"`tool_calls` is an empty array {counted(mark.count, 'time')}", "tool_calls []", mark, choice=choice
            )
