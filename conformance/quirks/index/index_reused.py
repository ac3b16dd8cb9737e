"""A second call opens at an index that is already in use.

A reader that keys by index, as the reference says, merges the calls: the second name and id overwrite the first, and
the arguments are glued together. Often every parallel call is numbered 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import (
    GOOD_PARALLEL,
    PARIS,
    TOKYO,
    api,
    calls,
    entry,
    issue,
    marked,
    of_call,
    reference,
    stream,
)
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    modes=["stream"],
    needs=["two-calls"],
    sources=[reference("000", "§1 parallel tool calls"), api()],
    seen=[issue("ollama/ollama#15457", "ollama"), issue("ai-dynamo/dynamo#4723"), issue("maximhq/bifrost#1982")],
    expected="another index for every call",
    guard="At an index in use, let a new non-empty id together with a non-empty name open another call.",
    guard_python="opens = bool(entry.id and entry.function and entry.function.name)\n"
    "if opens and call.id and entry.id != call.id:\n    call = calls[entry.index] = open_call()",
    guard_typescript="if (entry.id && entry.function?.name && call.id && entry.id !== call.id) {\n"
    "  call = openCall();\n  calls.set(entry.index, call);\n}",
    report="Parallel tool calls share one `index`; OpenAI's reference numbers them 0, 1, 2, …",
    good=[GOOD_PARALLEL],
    bad=[
        stream(
            calls(entry(0, "call_a1", "get_weather", PARIS)),
            calls(entry(0, "call_b2", "get_weather", TOKYO)),
        )
    ],
)
def index_reused(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.INDEX_REUSED):
        yield Hit(
            f"{of_call(call)} opens at index {mark.sample}, where another call was already open",
            f"index {mark.sample} with id {call.id!r}",
            mark,
            call,
        )
