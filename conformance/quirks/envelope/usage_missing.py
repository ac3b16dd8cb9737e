"""Usage was asked for and never came.

Budgets and bills that count on it see nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, calls, entry, stream
from conformance.quirks.registry import Hit, Source, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["choices", "finished", "whole", "asked-usage"],
    sources=[
        Source(
            "OpenAI API reference, stream_options.include_usage",
            "https://platform.openai.com/docs/api-reference/chat/create#chat-create-stream_options",
            "2026-11-30",
        )
    ],
    expected="a usage object before `[DONE]`",
    guard="Count tokens on the client's side where no usage comes.",
    report="With `stream_options.include_usage: true` no chunk carries usage.",
    good=[GOOD_STREAM],
    bad=[
        stream(
            calls(entry(0, "call_a1", "get_weather", PARIS)),
            request={"stream_options": {"include_usage": True}},
        )
    ],
)
def usage_missing(t: Transcript) -> Iterator[Hit]:
    if t.usage is None:
        yield Hit("usage was asked for, no chunk carries it", "no usage", event=t.events - 1)
