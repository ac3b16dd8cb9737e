"""The finish reason is a word the reference does not know.

Strictly typed clients fail on the unknown value; others take the answer for cut, or for whole.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, api, calls, entry, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript

_KNOWN = frozenset(("stop", "length", "tool_calls", "function_call", "content_filter"))


@quirk(
    level="should",
    needs=["choices", "no-error"],
    sources=[reference("000", "§6"), api()],
    expected="stop, length, tool_calls, content_filter or function_call",
    guard="Map what you know, and treat an unknown reason as `stop` only if the answer holds no call.",
    report="`finish_reason` carries a value outside OpenAI's list.",
    good=[GOOD_STREAM],
    bad=[
        stream({"content": "It is mild."}, finish="eos"),
        stream(calls(entry(0, "call_a1", "get_weather", PARIS)), finish="tool_use"),
    ],
)
def finish_unknown(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        for reason, event in choice.finish_reasons:
            if reason not in _KNOWN:
                yield Hit(f"the finish reason is {reason!r}", f"finish_reason {reason!r}", choice=choice, event=event)
                break
