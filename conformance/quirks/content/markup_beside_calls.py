"""Tool-call markup stands in `content` beside proper calls.

The parser cut at the wrong place: part of a call is shown to the user, and missing from the arguments.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, calls, entry, issue, stream
from conformance.quirks.content._leaks import markup_in_text
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["calls"],
    assembled=True,
    sources=[issue("vllm-project/vllm#45167", "vllm")],
    seen=[issue("vllm-project/vllm#44171", "vllm")],
    expected="content without markup",
    guard="Strip the markup from what is shown; check the arguments of the calls.",
    report="Tool-call markup of the chat template stands in `content` beside the calls.",
    good=[GOOD_STREAM],
    bad=[
        stream(
            calls(entry(0, "call_a1", "get_weather", PARIS)),
            {"content": "\n</tool_call>"},
        )
    ],
)
def markup_beside_calls(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        if choice.calls:
            leak = markup_in_text(choice.content)
            if leak:
                yield Hit(
                    "tool-call markup stands in the content",
                    leak,
                    choice=choice,
                    event=0 if t.mode == "stream" else None,
                )
