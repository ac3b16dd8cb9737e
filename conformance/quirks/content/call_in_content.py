"""A call is written as text into `content`.

The server's parser did not recognise it: the client sees a text answer, and nothing is run. Markup of the model's
template in the text is the server's fault; bare JSON that the model wrote without it is the model's, and counts less.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_TEXT, api, complete, issue, stream
from conformance.quirks.content._leaks import call_in_text, markup_in_text
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["choices"],
    assembled=True,
    sources=[api("chat"), issue("youssofal/MTPLX#20")],
    seen=[issue("looplj/axonhub#2516"), issue("vllm-project/vllm-ascend#12815", "vllm")],
    expected="an entry in `tool_calls`",
    guard="Look for the markup of the model's family in text answers; do not run what a text holds without asking.",
    report="The model's tool call arrives as text in `content`; `tool_calls` is empty.",
    good=[GOOD_TEXT],
    bad=[
        stream(
            {"content": '<tool_call>\n{"name": "get_weather", '},
            {"content": '"arguments": {}}\n</tool_call>'},
            finish="stop",
        ),
        complete(finish="stop", content='```json\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n```'),
    ],
)
def call_in_content(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        if choice.calls or t.asked.tool_choice == "none":
            continue
        leak = call_in_text(choice.content, t.asked)
        if not leak:
            continue
        # bare JSON is the model's own form, no markup that the server failed to parse; a limit cuts any markup
        markup = bool(markup_in_text(choice.content)) and choice.finish_reason != "length"
        yield Hit(
            "a call stands in the content",
            leak,
            choice=choice,
            event=0 if t.mode == "stream" else None,
            level=None if markup else "should",
            layer=None if markup else "model",
        )
