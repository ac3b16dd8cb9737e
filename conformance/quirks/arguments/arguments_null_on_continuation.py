"""A continuation has null arguments.

Clients that concatenate without looking fail, or append the word `null` to complete JSON.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import (
    GOOD_STREAM,
    PARIS,
    calls,
    counted,
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
    level="should",
    modes=["stream"],
    needs=["continuations", "presence"],
    sources=[reference("000", "§1"), issue("QuantumNous/new-api#3326")],
    expected="a string",
    guard="Append only non-empty strings.",
    guard_python="if entry.function and entry.function.arguments:\n    call.arguments += entry.function.arguments",
    guard_typescript='call.arguments += entry.function?.arguments ?? "";',
    report="Continuation deltas carry `arguments: null`.",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", PARIS)), calls(entry(0, arguments=None)))],
)
def arguments_null_on_continuation(t: Transcript) -> Iterator[Hit]:
    for call, mark, count in marked(t, Fact.ARGUMENTS_MISSING_CONTINUATION, "null"):
        yield Hit(
            f"{of_call(call)}: {counted(count, 'continuation has', 'continuations have')} null arguments",
            "arguments null",
            mark,
            call,
        )
