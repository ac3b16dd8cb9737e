"""`finish_reason` is neither a string nor null.

Clients compare it with words.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, api
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["choices"],
    sources=[api()],
    expected="a string or null",
    guard="Read anything but a string as null.",
    report="`finish_reason` is not a string.",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body.replace('"finish_reason":null', '"finish_reason":false'), TOOLS)],
)
def finish_not_string(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.FINISH_NOT_STRING)
        if mark is not None:
            yield Hit("the finish reason is not a string", str(mark.sample), mark, choice=choice)
