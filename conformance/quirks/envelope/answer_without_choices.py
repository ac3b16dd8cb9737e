"""The answer has no choice at all.

There is neither text nor call; clients that read `choices[0]` fail.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, GOOD_STREAM, TOOLS, api
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["answer", "no-error", "whole"],
    sources=[api("chat")],
    expected="at least one choice",
    guard="Treat it as a failed request.",
    report="The answer holds no choice.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[
        Example(
            '{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[]}',
            {**TOOLS, "stream": False},
        ),
        Example("data: [DONE]\n\n", TOOLS),
    ],
)
def answer_without_choices(t: Transcript) -> Iterator[Hit]:
    if not t.choices and not t.cut and Fact.NOT_JSON not in t.facts and Fact.NOT_OBJECT not in t.facts:
        yield Hit("the answer has no choice", t.body[:80].decode("utf-8", "replace"))
