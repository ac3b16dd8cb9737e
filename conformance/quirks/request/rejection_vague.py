"""The server rejects a request without a word about what is wrong.

Whoever reads `Bad Request` has to take the request apart field by field. The error object has a place for the field
(`param`) and one for words (`message`).
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.asked import traits
from conformance.quirks.common import issue
from conformance.quirks.registry import Hit, Source, quirk
from conformance.quirks.rejection import is_rejection, is_vague
from conformance.quirks.request._verdict import function, history, offer, past_result, refused, short, turn
from conformance.quirks.traits import PHRASES
from conformance.wire.transcript import Transcript

_UNION = {"type": "object", "oneOf": [{"required": ["one"]}, {"required": ["many"]}]}


@quirk(
    level="should",
    needs=["request"],
    sources=[
        Source(
            "OpenAI API guides, error codes",
            "https://platform.openai.com/docs/guides/error-codes",
            "2026-11-30",
        ),
        issue("A3S-Lab/Code#135"),
    ],
    expected="an error that names the field",
    guard="Leave out, one after the other, what the message of this finding lists.",
    report="A request is rejected with an error that does not say what is wrong with it.",
    good=[refused(offer(function(parameters=_UNION)), "tools[0].function.parameters: 'oneOf' is not supported")],
    bad=[
        refused(offer(function(parameters=_UNION)), "Bad Request"),
        refused(history(turn(content=None), past_result()), "Input validation error", status=422),
    ],
)
def rejection_vague(t: Transcript) -> Iterator[Hit]:
    # of a request with nothing unusual in it nobody can say that the request is what the error is about
    unusual = [PHRASES[trait] for trait in traits(t.asked) if trait != "result-without-name"] if is_rejection(t) else []
    if unusual and is_vague(t):
        yield Hit(f"the error names no part of the request, which holds {', '.join(unusual)}", short(t))
