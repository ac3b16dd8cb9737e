"""The first call's index is not 0.

Clients that allocate a list by index leave a hole at 0, or drop the call. Usually the text block before the calls was
counted.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_PARALLEL, PARIS, calls, entry, issue, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["calls"],
    sources=[reference("000", "§1 parallel tool calls"), issue("BerriAI/litellm#32759")],
    seen=[
        issue("BerriAI/litellm#5231"),
        issue("aws-samples/bedrock-access-gateway#134"),
        issue("vercel/ai#18333"),
    ],
    layer="gateway",
    expected="indexes that start at 0",
    guard="Use the index as a key only, never as a position in a list.",
    report="The first tool call is numbered 1 or higher; OpenAI numbers from 0.",
    good=[GOOD_PARALLEL],
    bad=[stream(calls(entry(1, "call_a1", "get_weather", "")), calls(entry(1, arguments=PARIS)))],
)
def index_not_from_zero(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        indexed = [c for c in choice.calls if c.wire_index is not None]
        if indexed and indexed[0].wire_index:
            first = indexed[0]
            yield Hit(
                f"the first call is numbered {first.wire_index}; index 0 never appears",
                f"index {first.wire_index}",
                call=first,
                event=first.opened[0],
                pointer=f"{first.opened[1]}/index",
            )
