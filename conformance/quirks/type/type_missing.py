"""A tool call never says its type.

Typed clients that distinguish `function` from `custom` calls by this field reject the call.
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
    level="should",
    needs=["calls", "presence"],
    sources=[reference("000", "§1"), api("chat")],
    seen=[issue("vercel/ai#12939")],
    expected='`"type": "function"` in the first entry',
    guard="Treat a call without a type as a function call.",
    guard_python='kind = entry.type or "function"',
    guard_typescript='const kind = entry.type || "function";',
    report="Tool calls come without `type`; OpenAI's reference requires it.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[
        stream(calls(entry(0, "call_a1", "get_weather", PARIS, type=...))),
        stream(calls(entry(0, "call_a1", "get_weather", PARIS, type=""))),
        complete(entry(..., "call_a1", "get_weather", PARIS, type=None)),
    ],
)
def type_missing(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.TYPE_MISSING_OPENING):
        if not call.type and not call.legacy:
            yield Hit(f"{of_call(call)} never says its type ({spelled(mark)})", f"type {spelled(mark)}", mark, call)
