"""Calls carry a field beyond the reference in one mode only.

A signature that has to go back with the call, say: a client that keeps unknown fields still has nothing to send in the
other mode.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, api, beside, of_call
from conformance.quirks.parity._common import GOOD_BOTH, OTHER_VALUE, one_call, one_call_complete
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.twins import twin_calls
from conformance.wire.transcript import Transcript

_SIGNED = {"google": {"thought_signature": "c2ln"}}


@quirk(
    level="info",
    modes=["stream"],
    needs=["twin-calls"],
    sources=[api("chat")],
    expected="the same fields in both modes",
    guard="Where a provider wants such a field back, use the mode that brings it.",
    report="",
    good=[GOOD_BOTH, OTHER_VALUE],
    bad=[
        beside(one_call(), one_call_complete(extra_content=_SIGNED)),
        beside(one_call(extra_content=_SIGNED), GOOD_COMPLETE),
    ],
)
def parity_entry_fields(t: Transcript) -> Iterator[Hit]:
    for call, here, there in twin_calls(t):
        streamed, whole = set(here.fields) - set(there.fields), set(there.fields) - set(here.fields)
        if streamed or whole:
            said = [f"{', '.join(sorted(streamed))} in the stream only"] if streamed else []
            said += [f"{', '.join(sorted(whole))} with `stream: false` only"] if whole else []
            yield Hit(
                f"{of_call(call)} carries {' and '.join(said)}",
                ", ".join(here.fields) or "no further field",
                call=call,
                event=call.opened[0],
                pointer=call.opened[1],
            )
