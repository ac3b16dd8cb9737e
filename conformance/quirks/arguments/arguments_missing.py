"""A call never gets any `arguments` field but null or none.

Clients that concatenate without looking fail on null; others hand `None` or `"null"` to the tool.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import (
    GOOD_COMPLETE,
    GOOD_STREAM,
    api,
    calls,
    complete,
    entry,
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
    sources=[reference("000", "§1"), api()],
    expected='a string, `"{}"` where there are no arguments',
    guard="Read absent, null and empty arguments as `{}`, unless the answer ended with `length` or `content_filter`.",
    guard_python='arguments = json.loads(call.arguments or "{}")',
    guard_typescript='const args = JSON.parse(call.arguments || "{}");',
    report="`function.arguments` is null or absent; OpenAI sends `{}` where there are no arguments.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[
        complete(entry(..., "call_a1", "get_time", None)),
        complete(entry(..., "call_a1", "get_time")),
        stream(calls(entry(0, "call_a1", "get_time", None))),
    ],
)
def arguments_missing(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.ARGUMENTS_MISSING_OPENING):
        if not call.pieces and "truncated" not in call.unusable_because:
            yield Hit(f"{of_call(call)}: its arguments are {spelled(mark)}", f"arguments {spelled(mark)}", mark, call)
