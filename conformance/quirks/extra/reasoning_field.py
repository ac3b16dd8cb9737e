"""The answer carries reasoning in a field of its own.

Outside the reference. Some providers want it back in the history of a tool turn, others reject it there.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_TEXT, api, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    needs=["choices"],
    sources=[api("chat")],
    expected="content only",
    guard="Keep the reasoning with the message, and send it back only where the provider asks for it.",
    report="",
    good=[GOOD_TEXT],
    bad=[stream({"reasoning_content": "They want the weather."}, {"content": "It is mild."}, finish="stop")],
)
def reasoning_field(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        if choice.reasoning:
            mark = choice.facts[Fact.DELTA_EXTRA]
            yield Hit(f"reasoning comes in `{choice.reasoning_field}`", choice.reasoning[:80], mark, choice=choice)
