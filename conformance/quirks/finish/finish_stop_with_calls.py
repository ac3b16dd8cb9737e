"""The finish reason is `stop` although calls came.

An agent that runs calls only on `tool_calls` drops them without an error. For a function named by `tool_choice`
OpenAI itself answers `stop`; both are right there.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, api, calls, complete, counted, entry, issue, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["calls"],
    sources=[reference("000", "§1"), reference("003", "check the client path"), api()],
    seen=[issue("agno-agi/agno#11148", "gemini", "2026-10-19")],
    expected="`tool_calls`",
    guard="Decide by the calls, not by the finish reason; still refuse `length` and a cut stream.",
    guard_python='wants_tools = bool(calls) and finish_reason in ("tool_calls", "stop")',
    guard_typescript='const wantsTools = calls.length > 0 && ["tool_calls", "stop"].includes(finishReason);',
    report="Answers with tool calls end with `finish_reason: stop`.",
    good=[
        GOOD_STREAM,
        stream(
            calls(entry(0, "call_a1", "get_weather", PARIS)),
            finish="stop",
            request={"tool_choice": {"type": "function", "function": {"name": "get_weather"}}},
        ),
    ],
    bad=[
        stream(calls(entry(0, "call_a1", "get_weather", PARIS)), finish="stop"),
        complete(entry(..., "call_a1", "get_weather", PARIS), finish="stop"),
    ],
)
def finish_stop_with_calls(t: Transcript) -> Iterator[Hit]:
    if t.asked.tool_choice == "named":
        return
    for choice in t.choices:
        if choice.limited:
            continue  # then `tool_calls` would be wrong as well: `finish-not-length`
        reasons = {reason for reason, _ in choice.finish_reasons}
        if choice.calls and "stop" in reasons and "tool_calls" not in reasons:
            mark = choice.facts[Fact.FINISH]
            yield Hit(
                f"{counted(len(choice.calls), 'call ends', 'calls end')} with `stop`",
                "finish_reason stop",
                mark,
                choice=choice,
            )
