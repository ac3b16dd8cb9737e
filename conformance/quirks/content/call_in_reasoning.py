"""A call is written as text into the reasoning.

The server's parser took it for thought: nothing is run, and mostly nothing is answered.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import api, issue, stream
from conformance.quirks.content._leaks import call_in_text
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["choices"],
    assembled=True,
    sources=[api("chat"), issue("vllm-project/vllm#55759", "vllm")],
    seen=[issue("ggml-org/llama.cpp#23678", "llamacpp"), issue("InternLM/lmdeploy#4580")],
    expected="an entry in `tool_calls`",
    guard="Ask again; do not run what the reasoning holds.",
    report="The model's tool call arrives inside the reasoning field; `tool_calls` is empty.",
    good=[stream({"reasoning_content": "They want the weather."}, {"content": "It is mild."}, finish="stop")],
    bad=[
        stream(
            {"reasoning_content": 'I will look. <tool_call>{"name":"get_weather","arguments":{}}</tool_call>'},
            finish="stop",
        )
    ],
    also={"empty-turn"},
)
def call_in_reasoning(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        if not choice.calls and not choice.content.strip():
            leak = call_in_text(choice.reasoning, t.asked, markup_only=True)
            if leak:
                yield Hit(
                    "a call stands in the reasoning", leak, choice=choice, event=0 if t.mode == "stream" else None
                )
