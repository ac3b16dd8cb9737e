"""Calls say their type in one mode only.

A typed client that was tried in the one mode rejects the calls of the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, api, beside, of_call, reference
from conformance.quirks.parity._common import COMPARE, GOOD_BOTH, OTHER_VALUE, SAME_REQUEST, one_call, one_call_complete
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.twins import twin_calls
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["twin-calls", "presence"],
    sources=[reference("000", "§1"), SAME_REQUEST, api("chat")],
    expected='`"type": "function"` in both modes',
    guard=f"Treat a call without a type as a function call. {COMPARE}",
    guard_python='kind = entry.type or "function"',
    guard_typescript='const kind = entry.type || "function";',
    report="Tool calls come with `type` in one mode, and without it in the other.",
    good=[GOOD_BOTH, OTHER_VALUE],
    bad=[beside(one_call(type=...), GOOD_COMPLETE), beside(one_call(), one_call_complete(type=None))],
    also=["type-missing"],
)
def parity_type(t: Transcript) -> Iterator[Hit]:
    for call, here, there in twin_calls(t):
        if not call.legacy and bool(here.type) != bool(there.type):
            with_it = "the stream" if here.type else "the answer with `stream: false`"
            yield Hit(
                f"{of_call(call)}: only {with_it} says its type",
                f"type {here.type!r}",
                call=call,
                event=call.opened[0],
                pointer=f"{call.opened[1]}/type",
            )
