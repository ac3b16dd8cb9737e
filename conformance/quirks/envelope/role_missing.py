"""The answer never names its role.

Frameworks that take the role from the first delta store a message without one, and the next request is rejected.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, GOOD_STREAM, TOOLS, api, reference
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["choices", "whole", "no-error"],
    sources=[reference("000", "§1"), api()],
    expected='`"role": "assistant"` in the first delta, or in the message',
    guard="The role of an answer is always `assistant`.",
    report="No delta (or message) carries a `role`.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[Example(GOOD_STREAM.body.replace('"role":"assistant",', ""), TOOLS)],
)
def role_missing(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        if not choice.role and not t.cut and Fact.ROLE_OTHER not in choice.facts:
            yield Hit("the role is never sent", "no role", choice=choice, event=0 if t.mode == "stream" else None)
