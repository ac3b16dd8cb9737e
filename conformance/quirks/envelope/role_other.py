"""The role of the answer is not `assistant`.

Sent back in the history, the message is rejected or misread.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, api, reference
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["choices"],
    sources=[reference("000", "§3"), api()],
    expected="`assistant`",
    guard="The role of an answer is always `assistant`.",
    report="The answer's `role` is not `assistant`.",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body.replace('"role":"assistant"', '"role":"model"'), TOOLS)],
)
def role_other(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.ROLE_OTHER)
        if mark is not None:
            yield Hit(f"the role is {mark.sample!r}", f"role {mark.sample!r}", mark, choice=choice)
