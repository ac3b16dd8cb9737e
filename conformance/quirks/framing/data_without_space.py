"""`data:` is not followed by a space.

Legal. Clients that cut off six characters, or look for `data: `, lose the first brace or the whole line.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, SSE_STANDARD, TOOLS, counted, issue
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["framing"],
    sources=[SSE_STANDARD],
    seen=[issue("openai/openai-python#498"), issue("aaif-goose/goose#7929")],
    expected="`data:` with or without a space",
    guard="Use a parser that follows the standard.",
    report="",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body.replace("data: ", "data:"), TOOLS)],
)
def data_without_space(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.DATA_WITHOUT_SPACE)
    if mark is not None:
        yield Hit(f"{counted(mark.count, 'data line has', 'data lines have')} no space after the colon", "data:{", mark)
