"""`parallel_tool_calls: false` was asked for, several calls came.

An agent that runs one call at a time drops the others, and their ids stay unanswered.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_PARALLEL, PARIS, TOOLS, calls, counted, entry, stream
from conformance.quirks.registry import Example, Hit, Source, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["calls", "asked-one-call"],
    sources=[
        Source(
            "OpenAI API reference, parallel_tool_calls",
            "https://platform.openai.com/docs/api-reference/chat/create#chat-create-parallel_tool_calls",
            "2026-11-30",
        )
    ],
    expected="one call at most",
    guard="Answer every call, whatever was asked for.",
    report="With `parallel_tool_calls: false` the answer holds several tool calls.",
    good=[stream(calls(entry(0, "call_a1", "get_weather", PARIS)), request={"parallel_tool_calls": False})],
    bad=[Example(GOOD_PARALLEL.body, {**TOOLS, "parallel_tool_calls": False})],
)
def parallel_disabled_ignored(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        if len(choice.calls) > 1:
            yield Hit(
                f"{counted(len(choice.calls), 'call came', 'calls came')} although one at most was wanted",
                counted(len(choice.calls), "call"),
                choice=choice,
                event=choice.calls[1].opened[0],
            )
