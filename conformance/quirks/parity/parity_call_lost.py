"""A call comes in one mode and is lost in the other.

One of the two answers says itself that it had a call: it ends with `tool_calls`, or the call stands in its text, whole
and in the model's markup. The model did its part; one of the server's two parsers lost it. A second answer that simply
holds no call is the model's choice, and is not reported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any, Final

from conformance.quirks.common import GOOD_COMPLETE, GOOD_TEXT, beside, complete, counted, issue, stream
from conformance.quirks.content._leaks import markup_in_text
from conformance.quirks.parity._common import COMPARE, GOOD_BOTH, SAME_REQUEST, one_call
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.twins import pairs
from conformance.wire.facts import Fact
from conformance.wire.transcript import Choice, Transcript

_CALLS: Final = ("tool_calls", "function_call")
_MOST: Final = 50_000
_MARKUP: Final = re.compile(r"""<function=([^>\s]+)>.*?</function>|<invoke name="([^"]+)">.*?</invoke>""", re.DOTALL)


@quirk(
    level="must",
    modes=["stream"],
    needs=["twin-call"],
    sources=[SAME_REQUEST, issue("vllm-project/vllm-ascend#12815", "vllm")],
    expected="the call in both modes",
    guard=f"{COMPARE} Use the mode in which the call comes.",
    report="The same request brings a tool call in one mode; in the other the call is lost.",
    good=[GOOD_BOTH, beside(GOOD_TEXT, GOOD_COMPLETE)],
    bad=[
        beside(
            stream(
                {"content": '<tool_call>{"name": "get_weather", '},
                {"content": '"arguments": {"city": "Paris"}}</tool_call>'},
                finish="stop",
            ),
            GOOD_COMPLETE,
        ),
        beside(stream({"content": ""}), GOOD_COMPLETE),
        beside(one_call(), complete(content="Let me look.")),
    ],
    also=["call-in-content", "finish-tool-calls-without-calls"],
)
def parity_call_lost(t: Transcript) -> Iterator[Hit]:
    if t.asked.tool_choice == "none":
        return
    for choice, there in pairs(t):
        if there.calls and not choice.calls:
            names = {call.name for call in there.calls}
            sign = _sign(choice, names)
            if sign:
                message = f"{counted(len(there.calls), 'call comes', 'calls come')} with `stream: false`, none in the stream, though {sign}"
                mark = choice.facts.get(Fact.FINISH)
                yield Hit(message, choice.content[:120] or str(choice.finish_reason), mark, choice=choice)
        elif choice.calls and not there.calls and there.finish_reason in _CALLS:
            first = choice.calls[0]
            yield Hit(
                f"{counted(len(choice.calls), 'call comes', 'calls come')} in the stream, none with `stream: false`, though it ends with "
                f"`{there.finish_reason}`",
                "no calls with `stream: false`",
                choice=choice,
                event=first.opened[0],
                pointer=first.opened[1],
            )


def _sign(choice: Choice, names: Collection[str]) -> str:
    """What shows that the model called one of these functions, "" if nothing does."""
    if choice.finish_reason in _CALLS:
        return f"it ends with `{choice.finish_reason}`"
    for place, text in (("content", choice.content), ("reasoning", choice.reasoning)):
        if choice.finish_reason != "length" and markup_in_text(text) and _called(text[:_MOST]) & set(names):
            return f"the call stands in its {place}"
    return ""


def _called(text: str) -> set[str]:
    """Names of the functions that text calls, each call being whole."""
    found = {one or other for one, other in _MARKUP.findall(text)}
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            found |= _name(value)
        at = text.find("{", end)
    return found


def _name(value: dict[str, Any]) -> set[str]:
    name = value.get("name")
    return {name} if isinstance(name, str) and {"arguments", "parameters"} & set(value) else set()
