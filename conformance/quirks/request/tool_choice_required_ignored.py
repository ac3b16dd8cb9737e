"""`tool_choice: required` was asked for, no call came.

An agent that counts on a call waits for one, or fails on the text.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import PARIS, calls, entry, issue, stream
from conformance.quirks.registry import Hit, Source, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["choices", "asked-required", "finished"],
    sources=[
        Source(
            "OpenAI API reference, tool_choice",
            "https://platform.openai.com/docs/api-reference/chat/create#chat-create-tool_choice",
            "2026-11-30",
        ),
        issue("vllm-project/vllm#54808", "vllm"),
    ],
    seen=[issue("am17an/llama.cpp#33", "llamacpp"), issue("raullenchai/Rapid-MLX#1508")],
    expected="at least one call",
    guard="Check for a call, and ask again.",
    report="With `tool_choice: required` the answer holds no tool call.",
    good=[stream(calls(entry(0, "call_a1", "get_weather", PARIS)), request={"tool_choice": "required"})],
    bad=[stream({"content": "It is mild."}, finish="stop", request={"tool_choice": "required"})],
)
def tool_choice_required_ignored(t: Transcript) -> Iterator[Hit]:
    if "tools" in t.asked.body and not t.asked.tools:
        return  # none was offered; `choice-without-tools-accepted` is about that
    for choice in t.choices:
        if not choice.calls and choice.finish_reason not in ("length", "content_filter") and not choice.refusal:
            yield Hit("a call was required, none came", choice.content[:100], choice=choice)
