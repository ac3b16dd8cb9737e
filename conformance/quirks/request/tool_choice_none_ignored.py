"""`tool_choice: none` was asked for, a call came.

The agent has no intention to run tools in this turn; a client that reads calls runs one that was forbidden.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import PARIS, calls, entry, issue, of_call, stream
from conformance.quirks.registry import Hit, Source, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["choices", "asked-none"],
    assembled=True,
    sources=[
        Source(
            "OpenAI API reference, tool_choice",
            "https://platform.openai.com/docs/api-reference/chat/create#chat-create-tool_choice",
            "2026-11-30",
        ),
        issue("vllm-project/vllm#54808", "vllm"),
    ],
    seen=[issue("tenstorrent/tt-inference-server#3084")],
    expected="text",
    guard="Leave `tools` out instead of asking for `none`; drop calls that were not wanted.",
    report="With `tool_choice: none` the answer holds a tool call.",
    good=[stream({"content": "It is mild."}, finish="stop", request={"tool_choice": "none"})],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", PARIS)), request={"tool_choice": "none"})],
)
def tool_choice_none_ignored(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        yield Hit(f"{of_call(call)} came although none was wanted", call.name, call=call, event=call.opened[0])
