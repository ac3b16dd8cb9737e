"""`finish_reason` is an empty string.

Clients that ask whether it is null take the first chunk for the last one.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, TOOLS, api, in_chunks, issue
from conformance.quirks.finish._missing import never_ends
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["choices"],
    sources=[api(), issue("ollama/ollama#4357")],
    seen=[issue("aaif-goose/goose#10258"), issue("sgl-project/sglang#3387")],
    expected="null until the answer ends",
    guard="Take only a non-empty string for a finish reason.",
    guard_python="finish_reason = finish_reason or choice.finish_reason",
    guard_typescript="finishReason ||= choice.finish_reason;",
    report='Chunks carry `finish_reason: ""` instead of null.',
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body.replace('"finish_reason":null', '"finish_reason":""'), TOOLS)],
)
def finish_empty(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.FINISH_EMPTY)
        if mark is not None and not never_ends(t, choice):
            yield Hit(
                f"{in_chunks(t, mark.count, 'carries', 'carry')} an empty finish reason",
                'finish_reason ""',
                mark,
                choice=choice,
            )
