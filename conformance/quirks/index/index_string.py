"""A tool-call index is a string of digits instead of a number.

Dynamic clients may file `"0"` and `0` under different keys and split a call in two; typed clients reject the chunk.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, api, calls, counted, entry, marked, of_call, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    modes=["stream"],
    needs=["calls"],
    sources=[reference("000", "§1"), api()],
    expected="a number",
    guard="Convert a decimal string to a number before using it as a key.",
    guard_python="index = int(entry.index) if isinstance(entry.index, str) else entry.index",
    guard_typescript='const index = typeof entry.index === "string" ? Number(entry.index) : entry.index;',
    report="`delta.tool_calls[].index` is a JSON string; OpenAI's reference defines an integer.",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry("0", "call_a1", "get_weather", "")), calls(entry("0", arguments=PARIS)))],
)
def index_string(t: Transcript) -> Iterator[Hit]:
    for call, mark, count in marked(t, Fact.INDEX_STRING):
        yield Hit(
            f"{of_call(call)}: {counted(count, 'entry gives', 'entries give')} the index as a string",
            f"index {mark.sample!r}",
            mark,
            call,
        )
