"""Argument deltas are growing snapshots instead of pieces.

Concatenated, as the reference says, they are not JSON: every client loses the call.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, calls, counted, entry, issue, of_call, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    modes=["stream"],
    needs=["continuations"],
    sources=[reference("000", "§1, fragments to concatenate"), issue("NousResearch/hermes-agent#35718")],
    seen=[issue("NousResearch/hermes-agent#35860"), issue("vercel/ai#15888"), issue("langchain-ai/langgraphjs#2697")],
    expected="pieces to concatenate",
    guard="Where the concatenation does not parse and every delta begins with the one before, take the last.",
    guard_python="said = [p for p in pieces if p]\n"
    "if said and all(b.startswith(a) for a, b in pairwise(said)):\n    text = said[-1]",
    guard_typescript="const said = pieces.filter((p) => p);\n"
    'if (said.every((p, i) => p.startsWith(said[i - 1] ?? ""))) text = said.at(-1) ?? "";',
    report="Argument deltas repeat what was already sent (cumulative snapshots); OpenAI sends suffixes.",
    good=[GOOD_STREAM],
    bad=[
        stream(
            calls(entry(0, "call_a1", "get_weather", '{"ci')),
            calls(entry(0, arguments='{"city":"Pa')),
            calls(entry(0, arguments=PARIS)),
        )
    ],
)
def arguments_snapshots(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if call.repair == "snapshot":
            event, pointer = call.arguments_first or call.opened
            pieces = [p for p in call.pieces if p]
            yield Hit(
                f"{of_call(call)}: each of {counted(len(pieces), 'argument delta')} repeats the text before it",
                call.arguments_raw[:120],
                call=call,
                event=event,
                pointer=pointer,
                count=len(pieces) - 1,
            )
