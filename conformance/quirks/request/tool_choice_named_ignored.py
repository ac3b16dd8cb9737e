"""`tool_choice` names a function, another one was called, or none.

An agent that forces a function reads its arguments without looking at the name.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import PARIS, calls, entry, issue, stream
from conformance.quirks.registry import Hit, Source, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["choices", "asked-named", "finished"],
    sources=[
        Source(
            "OpenAI API reference, tool_choice",
            "https://platform.openai.com/docs/api-reference/chat/create#chat-create-tool_choice",
            "2026-11-30",
        ),
        issue("ggml-org/llama.cpp#26849", "llamacpp"),
    ],
    seen=[issue("vllm-project/vllm#54808", "vllm")],
    expected="a call of the named function",
    guard="Compare the name before using the arguments.",
    report="With `tool_choice` naming a function, another function was called, or none.",
    good=[
        stream(
            calls(entry(0, "call_a1", "get_weather", PARIS)),
            request={"tool_choice": {"type": "function", "function": {"name": "get_weather"}}},
        )
    ],
    bad=[
        stream(
            calls(entry(0, "call_a1", "get_weather", PARIS)),
            request={"tool_choice": {"type": "function", "function": {"name": "get_time"}}},
        ),
        stream(
            {"content": "It is noon."},
            finish="stop",
            request={"tool_choice": {"type": "function", "function": {"name": "get_time"}}},
        ),
    ],
)
def tool_choice_named_ignored(t: Transcript) -> Iterator[Hit]:
    wanted = t.asked.named
    if wanted not in t.asked.tools:
        return  # `choice-unknown-accepted` is about that
    for choice in t.choices:
        if not choice.calls and choice.finish_reason not in ("length", "content_filter") and not choice.refusal:
            yield Hit(f"`{wanted}` was asked for, no call came", choice.content[:100], choice=choice)
        for call in choice.calls:
            if call.name and call.name != wanted:
                yield Hit(
                    f"`{wanted}` was asked for, `{call.name}` was called", call.name, call=call, event=call.opened[0]
                )
