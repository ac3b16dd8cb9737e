"""The server accepts `tool_choice` with a function that is not offered.

OpenAI rejects it. Here the answer holds whatever the model made of it: a text, or a call of another function than the
one that was forced.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import PARIS, complete, entry
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.request._verdict import accepted, answered, documented, function, offer, refused
from conformance.wire.transcript import Transcript

_CHOICE = {"type": "function", "function": {"name": "get_tide"}}
_REQUEST = offer(function(), tool_choice=_CHOICE)


@quirk(
    level="should",
    needs=["choice-unknown"],
    sources=[documented("tool_choice")],
    expected="an error that names `tool_choice`",
    guard="Check the name against the tools before it is sent, and the name of the call before it is run.",
    report="`tool_choice` with a function that is not offered is accepted, and another function is called.",
    good=[refused(_REQUEST, "Tool choice 'get_tide' not found in 'tools' parameter.", "tool_choice")],
    bad=[complete(entry(..., "call_a1", "get_weather", PARIS), request=_REQUEST), answered(_REQUEST)],
)
def choice_unknown_accepted(t: Transcript) -> Iterator[Hit]:
    if not t.calls:
        # a text is no call of the wrong function
        for hit in accepted(t, "choice-unknown"):
            yield Hit(hit.message, hit.actual, level="info")
    for call in t.calls:
        yield Hit(
            f"`{t.asked.named}`, which is not offered, was asked for, and `{call.name}` was called",
            call.name,
            call=call,
            event=call.opened[0],
        )
