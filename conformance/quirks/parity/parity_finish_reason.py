"""Calls end with another finish reason in a stream than in the complete answer.

An agent that runs calls only on `tool_calls` works in one mode and drops every call in the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from conformance.quirks.common import GOOD_COMPLETE, PARIS, api, beside, calls, complete, entry, reference, stream
from conformance.quirks.parity._common import COMPARE, GOOD_BOTH, OTHER_VALUE, SAME_REQUEST, one_call
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.twins import pairs
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript

_SERVERS: Final = frozenset((None, "stop", "tool_calls", "function_call"))
"""Reasons that the server chooses where calls came; `length` or a filter may strike one of two answers alone."""
_ENDED: Final = stream(calls(entry(0, "call_a1", "get_weather", PARIS)), finish="stop")
_NAMED: Final = {"tool_choice": {"type": "function", "function": {"name": "get_weather"}}}


@quirk(
    level="must",
    modes=["stream"],
    needs=["twin-calls"],
    sources=[reference("000", "§1"), SAME_REQUEST, api()],
    expected="`tool_calls` in both modes",
    guard=f"Decide by the calls, not by the finish reason; still refuse `length` and a cut stream. {COMPARE}",
    guard_python='wants_tools = bool(calls) and finish_reason in ("tool_calls", "stop")',
    guard_typescript='const wantsTools = calls.length > 0 && ["tool_calls", "stop"].includes(finishReason);',
    report="The same request ends with another `finish_reason` in a stream than with `stream: false`.",
    good=[
        GOOD_BOTH,
        OTHER_VALUE,
        beside(stream(calls(entry(0, "call_a1", "get_weather", '{"ci')), finish="length"), GOOD_COMPLETE),
    ],
    bad=[
        beside(_ENDED, GOOD_COMPLETE),
        beside(one_call(), complete(entry(..., "call_a1", "get_weather", PARIS), finish="stop")),
    ],
    also=["finish-stop-with-calls"],
)
def parity_finish_reason(t: Transcript) -> Iterator[Hit]:
    for choice, there in pairs(t):
        reasons = {choice.finish_reason, there.finish_reason}
        if choice.calls and there.calls and len(reasons) > 1 and reasons <= _SERVERS:
            named = t.asked.tool_choice == "named" and reasons == {"stop", "tool_calls"}
            yield Hit(
                f"calls end with {_said(choice.finish_reason)}, with `stream: false` they end with "
                f"{_said(there.finish_reason)}",
                f"finish_reason {choice.finish_reason}",
                choice.facts.get(Fact.FINISH),
                choice=choice,
                level="info" if named else None,
            )


def _said(reason: str | None) -> str:
    return "no finish reason" if reason is None else f"`{reason}`"
