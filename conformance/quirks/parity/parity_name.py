"""A function goes by its offered name in one mode, by a longer one in the other.

A prefix that one parser takes off and the other leaves there, or a name sent in two pieces and joined twice. The call
finds no function.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, beside, issue, of_call
from conformance.quirks.parity._common import COMPARE, GOOD_BOTH, SAME_REQUEST, one_call, one_call_complete
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.twins import twin_calls
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["twin-calls", "tools"],
    sources=[SAME_REQUEST, issue("OpenHands/OpenHands#5111")],
    expected="the offered name in both modes",
    guard=f"{COMPARE} Do not run a function whose name was not offered.",
    report="The name of a called function differs between a stream and the answer with `stream: false`.",
    good=[GOOD_BOTH, beside(one_call(name="get_time", arguments="{}"), GOOD_COMPLETE)],
    bad=[
        beside(one_call(name="functions.get_weather"), GOOD_COMPLETE),
        beside(one_call(), one_call_complete(name="default_api:get_weather")),
    ],
    also=["name-not-offered"],
)
def parity_name(t: Transcript) -> Iterator[Hit]:
    for call, here, there in twin_calls(t):
        if here.name == there.name:
            continue
        short, long = sorted((here.name, there.name), key=len)
        if short in t.asked.tools and long not in t.asked.tools and long.endswith(short):
            yield Hit(
                f"{of_call(call)} is called {there.name!r:.60} with `stream: false`",
                f"name {here.name!r}",
                call=call,
                event=call.opened[0],
                pointer=f"{call.opened[1]}/function/name",
            )
