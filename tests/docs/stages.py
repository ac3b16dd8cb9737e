"""What stands around a Python block that takes names for granted. `{block}` is where it goes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_AGENT: Final = """\
import json

from conformance.faults.honest import answer, chunks

request = {
    "model": "m",
    "messages": [{"role": "user", "content": "get_weather of Paris and get_time of Tokyo?"}],
    "tools": [
        {"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": {}}}}
        for name in ("get_weather", "get_time")
    ],
}
stream = chunks(answer(request))
messages = list(request["messages"])
shown, ran = [], []


def show(event):
    shown.append(event)


def run(call):
    ran.append(call.name)
    return "done"


{block}

assert shown
assert ran == ["get_weather", "get_time"], ran
assert [m["role"] for m in messages] == ["user", "assistant", "tool", "tool"]
assert [m["tool_call_id"] for m in messages[2:]] == [c["id"] for c in messages[1]["tool_calls"]]
"""

_WHILE_STREAMING: Final = """\
from conformance.faults.honest import answer, chunks

request = {
    "model": "m",
    "messages": [{"role": "user", "content": "get_weather of Paris, in a sentence?"}],
    "tools": [{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}],
}
stream = chunks(answer(request))

{block}

assert [call.name for call in turn.finish().calls] == ["get_weather"]
"""

STAGES: Final[Mapping[str, str]] = {"agent": _AGENT, "agent-while-streaming": _WHILE_STREAMING}
