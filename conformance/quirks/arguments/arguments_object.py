"""Arguments are sent as a JSON object instead of a string.

Typed clients reject the chunk. Others print the object in their own language's notation, which no longer parses.
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
    needs=["calls"],
    sources=[reference("000", "§1, §6"), api()],
    seen=[issue("ggml-org/llama.cpp#20198", "llamacpp"), issue("sipeed/picoclaw#1292")],
    expected="a string that holds JSON",
    guard="Serialise an object back to JSON before using it as argument text.",
    guard_python="text = value if isinstance(value, str) else json.dumps(value)",
    guard_typescript='const text = typeof value === "string" ? value : JSON.stringify(value);',
    report="`function.arguments` is a JSON object; OpenAI's reference defines a string.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[
        complete(entry(..., "call_a1", "get_weather", {"city": "Paris"})),
        stream(calls(entry(0, "call_a1", "get_weather", {"city": "Paris"}))),
    ],
)
def arguments_object(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.ARGUMENTS_VALUE, "object", "{}"):
        yield Hit(f"{of_call(call)}: its arguments are a JSON object", str(mark.sample), mark, call)
