"""The finish reason is the legacy `function_call`.

An agent that compares with `tool_calls` drops the calls.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, api, calls, entry, issue, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["calls"],
    sources=[api(), issue("MeetKai/functionary#92")],
    seen=[issue("can1357/oh-my-pi#1692")],
    expected="`tool_calls`",
    guard="Take `function_call` for `tool_calls`.",
    report="Answers with `tool_calls` end with `finish_reason: function_call`.",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", PARIS)), finish="function_call")],
)
def finish_legacy(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        if choice.finish_reason == "function_call" and choice.calls:
            legacy = all(call.legacy for call in choice.calls)
            mark = choice.facts[Fact.FINISH]
            yield Hit(
                "the calls end with `function_call`",
                "finish_reason function_call",
                mark,
                choice=choice,
                level="info" if legacy else None,
            )
