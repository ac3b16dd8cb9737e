"""A tool call never gets an id.

The id is the only link between a call and its result. It is never invented: with `""` in the assistant message and in
the result alike, a single call stays linked; of two calls without ids nobody can tell whose result is whose.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import (
    GOOD_COMPLETE,
    GOOD_STREAM,
    PARIS,
    api,
    calls,
    complete,
    entry,
    of_call,
    reference,
    spelled,
    stream,
)
from conformance.quirks.registry import Hit, Source, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["calls"],
    sources=[reference("000", "§0, §1, §5"), api()],
    seen=[Source("Reference 000, §5: Ollama, some models omit ids", date="2026-11-30", provider="ollama")],
    expected="a non-empty string in the first entry of every call",
    guard='Use `""` in the assistant message and in the tool result alike; never make up an id.',
    guard_python='tool_message = {"role": "tool", "tool_call_id": call.id or "", "content": result}',
    guard_typescript='const toolMessage = { role: "tool", tool_call_id: call.id ?? "", content: result };',
    report="Tool calls come without `id`; OpenAI's reference requires one, and results cannot be linked without it.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[
        stream(calls(entry(0, ..., "get_weather", PARIS, type="function"))),
        complete(entry(..., "", "get_weather", PARIS, type="function")),
        complete(entry(..., None, "get_weather", PARIS, type="function")),
    ],
)
def id_missing(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        without = [c for c in choice.calls if not c.id and not c.legacy]
        for call in without:
            mark = call.facts.get(Fact.ID_MISSING_OPENING)
            yield Hit(
                f"{of_call(call)} never gets an id ({spelled(mark) if mark else 'absent'})",
                f"id {spelled(mark) if mark else 'absent'}",
                mark,
                call,
                event=call.opened[0],
                pointer=call.opened[1],
                level="must" if len(without) > 1 else "should",
            )
