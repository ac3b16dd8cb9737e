"""Lines end with CR or CRLF.

Legal. Clients that split at `\n\n` find no event, or one that holds the whole stream.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, SSE_STANDARD, TOOLS, issue
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="info",
    modes=["stream"],
    needs=["framing"],
    sources=[SSE_STANDARD],
    seen=[issue("miruamel/xuan#194"), issue("vercel/ai#6200"), issue("openai/openai-node#2309")],
    expected="LF, CR or CRLF",
    guard="Use a parser that follows the standard.",
    report="",
    good=[GOOD_STREAM],
    bad=[Example(GOOD_STREAM.body.replace("\n", "\r\n"), TOOLS)],
)
def line_ends_other(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.LINE_END)
    if mark is not None and set(mark.spellings) != {"lf"}:
        kinds = " and ".join(k.upper() for k in mark.spellings)
        yield Hit(f"lines end with {kinds}", kinds, mark, count=1)
