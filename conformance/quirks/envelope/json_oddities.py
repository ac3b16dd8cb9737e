"""JSON text outside the arguments is not interoperable.

Repeated keys, NaN, integers beyond 64 bits, raw control characters: decoders differ in what they make of them, and
many reject the chunk.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, JSON_STANDARD, TOOLS, counted
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["text", "answer"],
    sources=[JSON_STANDARD],
    expected="JSON as RFC 8259 has it",
    guard="Decode leniently, and log what was odd.",
    report="The server's JSON holds repeated keys, NaN, or unescaped control characters.",
    good=[GOOD_STREAM],
    bad=[
        Example(GOOD_STREAM.body.replace('"created":1,', '"created":1,"cost":NaN,'), TOOLS),
        Example(GOOD_STREAM.body.replace('"created":1,', '"created":1,"created":1,'), TOOLS),
    ],
)
def json_oddities(t: Transcript) -> Iterator[Hit]:
    for fact, what in (
        (Fact.NAN, "NaN or Infinity"),
        (Fact.DUPLICATE_KEY, "a repeated key"),
        (Fact.RAW_CONTROL, "an unescaped control character"),
        (Fact.HUGE_INTEGER, "an integer beyond 64 bits"),
    ):
        mark = t.facts.get(fact)
        if mark is not None:
            mild = fact in (Fact.DUPLICATE_KEY, Fact.HUGE_INTEGER)
            yield Hit(
                f"{counted(mark.count, 'document holds', 'documents hold')} {what}",
                str(mark.sample or what),
                mark,
                level="should" if mild else None,
            )
