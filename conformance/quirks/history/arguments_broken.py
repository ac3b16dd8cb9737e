"""Arguments in the history are not a string that holds JSON.

Providers reject the message, or render it into the prompt damaged. Truncated arguments have to be closed before they
go back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from conformance.quirks.common import GOOD_PAST, past, past_call, past_result, past_turn, reference
from conformance.quirks.history._turns import calls_of, tolerated
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    layer="client",
    needs=["history"],
    assembled=True,
    sources=[reference("000", "§4, §8")],
    expected="a string that holds a JSON object",
    guard="Close broken arguments for the history with `repair_arguments`; send an object as its JSON text.",
    guard_python="from conformance import repair_arguments\n\ntext = repair_arguments(call.arguments).text",
    report="The client sends arguments that are not JSON text.",
    good=[GOOD_PAST],
    bad=[
        past(past_turn(past_call(arguments='{"city":"Par')), past_result()),
        past(past_turn(past_call(arguments={"city": "Paris"})), past_result()),
    ],
)
def arguments_broken(t: Transcript) -> Iterator[Hit]:
    for position, message in enumerate(t.asked.messages):
        for number, call in enumerate(calls_of(message)):
            function = call.get("function")
            text = function.get("arguments") if isinstance(function, dict) else None
            if not isinstance(function, dict) or _is_object(text):
                continue
            yield Hit(
                f"the arguments of call {number} of message {position} are no JSON text",
                repr(text)[:120],
                pointer=f"/messages/{position}/tool_calls/{number}/function/arguments",
                level=tolerated(t),
            )


def _is_object(text: object) -> bool:
    if not isinstance(text, str):
        return False
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
