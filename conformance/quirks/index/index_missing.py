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
    came,
    counted,
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
    guard="Where the index is missing, continue the call with the entry's id; a new id opens the next call, under the"
    " number of calls so far; no id continues the last one. Never fall back to 0.",
    guard_python="if entry.index is not None:\n"
    "    key = entry.index\n"
    "elif entry.id:\n"
    "    key = key_of_id.get(entry.id, len(calls))  # the index that a new call should have had\n"
    "else:\n"
    "    key = last_key\n"
    "if entry.id:\n"
    "    key_of_id[entry.id] = key\n"
    "last_key = key",
    guard_typescript="const key = entry.index ?? (entry.id ? (keyOfId.get(entry.id) ?? calls.size) : lastKey);\n"
    "if (entry.id) keyOfId.set(entry.id, key);\n"
    "lastKey = key;",
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
            f"{of_call(call)}: {counted(count, 'entry has', 'entries have')} no usable index ({spelled(mark)})",
            came("index", mark),
            mark,
            call,
        )
