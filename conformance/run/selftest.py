"""How often the verdict is right: every fault and legal variation of the fault server, through the live pipeline.

Each answer goes over a real connection and the openai client, is read and judged like any provider's, a stream beside
the answer to the same request with `stream: false`. A fault counts as
detected when one of the findings it is known by is named at `must` or `should`; a legal variation is a false alarm when
anything is found at `must`, or at `should` beyond the variation itself. Either is wrong as well when the assembled
calls are not those that are left of the honest ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from conformance.faults import FAULTS, Fault
from conformance.faults.honest import answer
from conformance.faults.server import FaultServer
from conformance.model import Mode
from conformance.quirks import judge
from conformance.scenarios import get
from conformance.scenarios.link import GET_CODE_WORD, Setting, written_turn
from conformance.transport import Endpoint, send
from conformance.wire.read import read
from conformance.wire.shape import shape_of
from conformance.wire.transcript import Transcript

_TOOLS: Final[list[dict[str, Any]]] = [
    {
        "type": "function",
        "function": {
            "name": name,
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        },
    }
    for name in ("get_weather", "get_time")
]
_CALL: Final = {
    "id": "call_before",
    "type": "function",
    "function": {"name": "get_weather", "arguments": '{"city":"Rome"}'},
}
_HISTORY: Final = [
    {"role": "user", "content": "get_weather of Rome?"},
    {"role": "assistant", "content": None, "tool_calls": [_CALL]},
    {"role": "tool", "tool_call_id": "call_before", "content": "mild"},
]
_LINKS: Final = Setting(
    first={"messages": [{"role": "user", "content": "The code words of Paris and Tokyo?"}], "tools": [GET_CODE_WORD]},
    turn=written_turn(["call_here", "call_there"]),
    seed=b"selftest",
)
_ASKS: Final[Mapping[str, Mapping[str, Any]]] = {
    "one": {},
    "two": {"messages": [{"role": "user", "content": "get_weather of Paris and Tokyo?"}]},
    "text": {"tool_choice": "none"},
    "none": {"tool_choice": "none"},
    "required": {"tool_choice": "required"},
    "named": {"tool_choice": {"type": "function", "function": {"name": "get_weather"}}},
    "serial": {"parallel_tool_calls": False},
    "n2": {"n": 2},
    "usage": {"stream_options": {"include_usage": True}},
    "history": {"messages": _HISTORY},
    "again": {"messages": [*_HISTORY, {"role": "user", "content": "get_weather of Paris?"}]},
    "other-order": _LINKS.ask(order=(1, 0)).body,
    "unknown-id": _LINKS.ask(unknown=1).body,
    "empty-ids": _LINKS.ask(empty=True).body,
    "strict": {"tools": [{"type": "function", "function": {**_TOOLS[0]["function"], "strict": True}}]},
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One fault or variation in one mode.

    Attributes:
        fault, mode: what was served, and what was asked for.
        found: names found at `must` or `should`.
        right: whether the verdict is right.
        why: what is wrong with it, "" if nothing.
    """

    fault: Fault
    mode: Mode
    found: tuple[str, ...]
    right: bool
    why: str


@dataclass(frozen=True, slots=True)
class Figures:
    """What the selftest counts; a fault is detected only if it is in every mode in which it shows."""

    outcomes: Sequence[Outcome]

    def _names(self, legal: bool, right: bool) -> list[str]:
        wrong = {o.fault.name for o in self.outcomes if not o.right}
        names = dict.fromkeys(o.fault.name for o in self.outcomes if o.fault.legal is legal)
        return [n for n in names if (n not in wrong) is right]

    @property
    def faults(self) -> int:
        """Number of faults served."""
        return len(self._names(False, True)) + len(self._names(False, False))

    @property
    def detected(self) -> int:
        """Number of faults named."""
        return len(self._names(False, True))

    @property
    def legal(self) -> int:
        """Number of legal variations served."""
        return len(self._names(True, True)) + len(self._names(True, False))

    @property
    def alarms(self) -> int:
        """Number of legal variations that raised a false alarm."""
        return len(self._names(True, False))


def request_for(fault: Fault, mode: Mode) -> dict[str, Any]:
    """The request that brings a fault out."""
    if fault.scenario:
        return {**next(get(fault.scenario).conversation("made-up-1")).body, "stream": mode == "stream"}
    more = _ASKS[fault.ask]
    messages = [{"role": "user", "content": "get_weather of Paris?"}]
    tools = _TOOLS[:1] if fault.ask in ("one", "two") else _TOOLS
    return {"model": "made-up-1", "messages": messages, "tools": tools, **more, "stream": mode == "stream"}


def selftest(names: Sequence[str] = (), tell: Callable[[Outcome], None] = lambda _: None) -> Figures:
    """Serve and judge.

    Args:
        names: only these faults; all if none is named.
        tell: is told each outcome as it comes.
    """
    outcomes: list[Outcome] = []
    with FaultServer() as server:
        for name in names or FAULTS:
            fault = FAULTS[name]
            for mode in fault.modes:
                outcome = _one(server, fault, mode)
                outcomes.append(outcome)
                tell(outcome)
    return Figures(outcomes)


def _asked(server: FaultServer, fault: Fault, mode: Mode, request: Mapping[str, Any]) -> Transcript:
    endpoint = Endpoint(base_url=server.url_of(fault), api_key=None)
    exchange = send(
        endpoint,
        request,
        mode=mode,
        source=f"{fault.name}.{mode}",
        provider="fault-server",
        model="made-up-1",
        scenario=fault.scenario or fault.ask,
        store=None,
    )
    return read(exchange)


def _one(server: FaultServer, fault: Fault, mode: Mode) -> Outcome:
    request = request_for(fault, mode)
    transcript = _asked(server, fault, mode, request)
    if mode == "stream":
        transcript.twin = shape_of(_asked(server, fault, "complete", request_for(fault, "complete")))
    # the request is ours: what it gets wrong is part of the question
    loud = [f for f in judge(transcript).findings if f.level != "info" and f.layer != "client"]
    found = tuple(dict.fromkeys(f.quirk for f in loud))
    if fault.legal:
        wrong = [f"{f.level} {f.quirk}" for f in loud if f.level == "must" or f.quirk not in fault.shows]
        why = f"false alarm: {', '.join(wrong)}" if wrong else ""
    else:
        why = "" if fault.shows & set(found) else f"not detected; found: {', '.join(found) or 'nothing'}"
    why = why or _calls_wrong(fault, request, transcript)
    return Outcome(fault, mode, found, not why, why)


def _calls_wrong(fault: Fault, request: Mapping[str, Any], transcript: Transcript) -> str:
    """What is wrong with the assembled calls, held against the honest ones; "" if nothing."""
    said = [(c.name, json.loads(c.arguments)) for c in answer(request).calls] if fault.left != "none" else []
    calls = transcript.choices[0].calls if transcript.choices else []
    if fault.left == "all":
        got = [(c.name, c.value) for c in calls if c.usable]
        return "" if got == said else f"usable calls: {got}, said: {said}"
    if fault.left == "unusable" and said and sum(c.usable for c in calls) >= len(said):
        return "calls that must not be run pass as usable"
    return ""
