"""A continuation has `function: null`.

Clients that read `entry.function.arguments` without looking fail in the middle of the stream.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import (
    GOOD_STREAM,
    PARIS,
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
    level="should",
    modes=["stream"],
    needs=["continuations", "presence"],
    sources=[reference("000", "§1"), issue("endolith/open-interpreter#254")],
    expected="a `function` object with a piece of the arguments",
    guard="Read through an absent or null `function` as if it were empty.",
    guard_python="if entry.function and entry.function.arguments:\n    call.arguments += entry.function.arguments",
    guard_typescript='call.arguments += entry.function?.arguments ?? "";',
    report="Continuation deltas carry `function: null`.",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", PARIS)), calls(entry(0, function=None)))],
)
def function_null_in_delta(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.FUNCTION_MISSING_CONTINUATION):
        yield Hit(f"{of_call(call)}: a continuation has no function object", f"function {spelled(mark)}", mark, call)
