"""The server rejects a value of `tool_choice`.

The API reference has `auto`, `none`, `required` and a named function. An agent that forces a call has no other means.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.registry import Hit, Source, quirk
from conformance.quirks.request._verdict import NAMED, answered, documented, function, offer, refused, rejected
from conformance.wire.transcript import Transcript

_REQUEST = offer(function(), tool_choice=NAMED)


@quirk(
    level="should",
    needs=["tool-choice"],
    sources=[documented("tool_choice")],
    seen=[
        Source(
            "social-growth-studio/req_llm, recorded answer",
            "https://github.com/social-growth-studio/req_llm",
            provider="deepseek",
        )
    ],
    expected="an answer",
    guard="Ask for the call in words, and check that it came.",
    report="A documented value of `tool_choice` is rejected.",
    good=[answered(offer(function(), tool_choice="auto"))],
    bad=[refused(_REQUEST, "tool_choice: only 'auto' is supported", "tool_choice")],
)
def tool_choice_rejected(t: Transcript) -> Iterator[Hit]:
    yield from rejected(t, "tool-choice")
