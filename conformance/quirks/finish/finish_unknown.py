"""The finish reason is a word the reference does not know.

Strictly typed clients fail on the unknown value; others take the answer for cut, or for whole. Some of these words say
that the answer failed (`error`, `abort`, `network_error`): OpenAI's wire has an error object for that.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, api, calls, entry, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.reasons import cuts, fails
from conformance.wire.transcript import Transcript

_KNOWN = frozenset(("stop", "length", "tool_calls", "function_call", "content_filter"))


@quirk(
    level="should",
    needs=["choices", "no-error"],
    sources=[reference("000", "§6"), api()],
    expected="stop, length, tool_calls, content_filter or function_call",
    guard="Map what you know. Run no call of an answer whose reason says that it failed, and treat an unknown reason as"
    " `stop` only if the answer holds no call.",
    report="`finish_reason` carries a value outside OpenAI's list.",
    good=[GOOD_STREAM],
    bad=[
        stream({"content": "It is mild."}, finish="eos"),
        stream(calls(entry(0, "call_a1", "get_weather", PARIS)), finish="tool_use"),
        stream(calls(entry(0, "call_a1", "get_weather", '{"city":')), finish="error"),
    ],
)
def finish_unknown(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        for reason, event in choice.finish_reasons:
            if reason not in _KNOWN:
                means = ": the answer failed" if fails(reason) else ": the answer was cut" if cuts(reason) else ""
                yield Hit(
                    f"the finish reason is {reason!r}{means}", f"finish_reason {reason!r}", choice=choice, event=event
                )
                break
