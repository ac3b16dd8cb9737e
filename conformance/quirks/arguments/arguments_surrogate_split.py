"""Halves of a surrogate pair come in two deltas.

Joined as UTF-16 they are one character; languages that decode each delta on its own replace both halves.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import (
    GOOD_STREAM,
    JSON_STANDARD,
    TOOLS,
    calls,
    chunk,
    entry,
    events,
    issue,
    of_call,
)
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["calls", "text"],
    sources=[JSON_STANDARD, issue("openclaw/openclaw#110642")],
    expected="whole characters in every delta",
    guard="Join the pieces before encoding them, and let surrogate halves meet.",
    guard_python='text = "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")',
    report="A delta ends with half of a surrogate pair (`\\\\ud83d`), the other half follows in the next one.",
    good=[GOOD_STREAM],
    bad=[
        Example(
            events(
                chunk(calls(entry(0, "call_a1", "get_weather", ""), role="assistant", content=None)),
                '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,'
                '"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"city\\":\\"\\ud83d"}}]},"finish_reason":null}]}',
                '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,'
                '"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\\udea9\\"}"}}]},"finish_reason":null}]}',
                chunk({}, "tool_calls"),
                "[DONE]",
            ),
            TOOLS,
        )
    ],
)
def arguments_surrogate_split(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if call.repair == "surrogates":
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: a surrogate pair is split between two deltas",
                "half of a surrogate pair",
                call=call,
                event=event,
                pointer=pointer,
            )
