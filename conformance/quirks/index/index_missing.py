"""A streamed tool-call entry has no usable `index`.

The index is the only reliable accumulation key. Without it a client that falls back to 0 merges parallel calls into
one call with glued arguments, and a typed client fails to decode the chunk. Absent, `null`, negative, and anything
that is neither a whole number nor a decimal string count as missing.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import (
    GOOD_STREAM,
    PARIS,
    TOKYO,
    api,
    calls,
    entry,
    issue,
    marked,
    of_call,
    reference,
    spelled,
    stream,
)
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    modes=["stream"],
    needs=["calls"],
    sources=[reference("000", "§1"), reference("003"), api()],
    seen=[
        issue("agno-agi/agno#11148", "gemini", "2026-10-19"),
        issue("openai/openai-python#2806"),
        issue("SamSaffron/term-llm#314"),
    ],
    expected="an `index` of 0 or more in every entry",
    guard="Where the index is missing, continue the call with the entry's id; a new id opens a call; no id continues the"
    " last one. Never fall back to 0.",
    guard_python="key = entry.index if entry.index is not None else (keys_by_id.get(entry.id) if entry.id else last_key)",
    guard_typescript="const key = entry.index ?? (entry.id ? keysById.get(entry.id) : lastKey);",
    report="Entries of `delta.tool_calls` come without `index`; OpenAI's reference requires it in every entry.",
    good=[GOOD_STREAM],
    bad=[
        stream(
            calls(entry(..., "call_a1", "get_weather", PARIS)),
            calls(entry(..., "call_b2", "get_weather", TOKYO)),
        ),
        stream(calls(entry(None, "call_a1", "get_weather", "")), calls(entry(None, arguments=PARIS))),
        stream(calls(entry(0, "call_a1", "get_weather", "")), calls(entry(..., arguments=PARIS))),
        stream(calls(entry(..., "call_a1", "get_weather", "")), calls(entry(0, arguments=PARIS))),
    ],
)
def index_missing(t: Transcript) -> Iterator[Hit]:
    for call, mark, count in marked(t, Fact.INDEX_MISSING):
        yield Hit(
            f"{of_call(call)}: {count} of its entries have no usable index ({spelled(mark)})",
            f"index {spelled(mark)}: {mark.sample}",
            mark,
            call,
        )
