"""Arguments come in another form in a stream than in the complete answer.

As an object instead of text, encoded twice, or only to be read after repair, in one of the two. The value is the same, or is no text in one mode only, so that it is not the model's doing. A client that was tried in
one mode fails in the other. Of a call without arguments, one mode may say `""` and the other `{}`: worth knowing only,
because the model may have written it so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from conformance.quirks.common import CLOCK, GOOD_COMPLETE, PARIS, api, beside, calls, entry, of_call, reference, stream
from conformance.quirks.parity._common import COMPARE, GOOD_BOTH, OTHER_VALUE, SAME_REQUEST, one_call, one_call_complete
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.twins import twin_calls
from conformance.wire.shape import CallShape
from conformance.wire.transcript import Transcript

_ALTERED: Final = ("double-encoded", "repaired")


@quirk(
    level="must",
    modes=["stream"],
    needs=["twin-calls"],
    sources=[reference("000", "§1, §6"), SAME_REQUEST, api()],
    expected="text that parses to an object, in both modes",
    guard=f"Read arguments the same way in both modes: text, a value, or text of text. {COMPARE}",
    report="`function.arguments` of the same call comes in another form in a stream than with `stream: false`.",
    good=[
        GOOD_BOTH,
        OTHER_VALUE,
        beside(
            one_call(name=CLOCK["function"]["name"], arguments="{}"),
            one_call_complete(name="get_time", arguments="{ }"),
        ),
    ],
    bad=[
        beside(one_call(arguments={"city": "Paris"}), GOOD_COMPLETE),
        beside(one_call(), one_call_complete(arguments={"city": "Oslo"})),
        beside(one_call(), one_call_complete(arguments=json.dumps(PARIS))),
        beside(
            stream(
                calls(entry(0, "call_a1", "get_weather", '{"city":')),
                calls(entry(0, arguments='{"city":"Pa')),
                calls(entry(0, arguments=PARIS)),
            ),
            GOOD_COMPLETE,
        ),
    ],
    also=["arguments-object", "arguments-snapshots"],
)
def parity_arguments_form(t: Transcript) -> Iterator[Hit]:
    for call, here, there in twin_calls(t):
        if here.arguments == there.arguments or here.name != there.name:
            continue
        nothing = here.without_arguments and there.without_arguments
        if nothing or _altered(here, there):
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: its arguments are {_said(here)} in the stream, {_said(there)} with `stream: false`",
                call.arguments_raw[:120],
                call=call,
                event=event,
                pointer=pointer,
                level="info" if nothing else None,
            )


def _altered(here: CallShape, there: CallShape) -> bool:
    """Whether the server, and not the model, makes the difference."""
    forms = {here.arguments, there.arguments}
    if "value" in forms:
        return True
    return not forms.isdisjoint(_ALTERED) and bool(here.digest) and here.digest == there.digest


def _said(call: CallShape) -> str:
    return {
        "object": "text",
        "absent": "absent",
        "empty": "an empty string",
        "value": "a JSON value",
        "double-encoded": "encoded twice",
        "repaired": "text that has to be repaired",
        "not-object": "text that is no object",
        "not-json": "text that is no JSON",
        "text": "free text",
    }[call.arguments]
