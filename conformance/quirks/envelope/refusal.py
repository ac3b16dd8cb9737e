"""The model refuses.

Legal: `refusal` carries the text, `content` is null. A client that reads content only shows nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_TEXT, api, complete, reference
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    needs=["choices"],
    sources=[reference("000", "§6"), api("chat")],
    expected="an answer",
    guard="Show `refusal` where it stands in place of `content`.",
    report="",
    good=[GOOD_TEXT],
    bad=[complete(finish="stop", refusal="I cannot help with that.")],
)
def refusal(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.REFUSAL)
        if mark is not None:
            yield Hit("the model refuses", choice.refusal[:120], mark, choice=choice)
