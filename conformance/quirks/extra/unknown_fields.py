"""The answer carries fields the reference does not know.

Legal; a strictly typed client must ignore them.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, api
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    needs=["choices"],
    sources=[api()],
    expected="known fields, or others to be ignored",
    guard="Ignore unknown fields, but keep those of messages and calls for the history.",
    report="",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body.replace('"created":1', '"created":1,"timings":{}'), TOOLS)],
)
def unknown_fields(t: Transcript) -> Iterator[Hit]:
    marks = [t.facts.get(Fact.ENVELOPE_EXTRA)]
    marks += [choice.facts.get(fact) for choice in t.choices for fact in (Fact.CHOICE_EXTRA, Fact.DELTA_EXTRA)]
    for mark in marks:
        names = [name for name in mark.spellings if name not in ("reasoning_content", "reasoning")] if mark else []
        if mark is not None and names:
            yield Hit("fields beyond the reference", ", ".join(names[:8]), mark)
