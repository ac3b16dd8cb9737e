"""A chunk has an empty `choices` array and no usage.

Legal, used for prompt filters and keep-alive; clients that read `choices[0]` fail on it.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, api, events, in_chunks
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["answer"],
    sources=[api()],
    expected="at least one choice, except on the usage chunk",
    guard="Skip chunks without choices.",
    report="",
    good=[GOOD_STREAM],
    bad=[
        Example(
            events({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": []})
            + GOOD_STREAM.body,
            TOOLS,
        )
    ],
)
def choices_empty(t: Transcript) -> Iterator[Hit]:
    count = t.facts.count(Fact.CHOICES_EMPTY, "other", "prompt-filter")
    if count:
        yield Hit(
            f"{in_chunks(t, count, 'has', 'have')} no choice and no usage", "choices []", t.facts[Fact.CHOICES_EMPTY]
        )
