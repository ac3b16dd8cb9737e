"""Arguments are written as a Python literal.

Single quotes, `True` and `None`: the model, or a server written in Python, printed a dict instead of JSON.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.arguments._classify import classify
from conformance.quirks.common import GOOD_COMPLETE, GOOD_STREAM, JSON_STANDARD, complete, entry, issue, of_call
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    layer="model",
    needs=["calls"],
    assembled=True,
    sources=[JSON_STANDARD, issue("lablup/mlxcel#1306")],
    seen=[issue("waybarrios/vllm-mlx#63"), issue("NousResearch/atropos#479")],
    expected="text that parses to a JSON object",
    guard="Do not run the call; answer it with an error result that says what is wrong, and let the model try again.",
    report="`function.arguments` is a Python literal, not JSON.",
    good=[GOOD_STREAM, GOOD_COMPLETE],
    bad=[complete(entry(..., "call_a1", "get_weather", "{'city': 'Paris', 'brief': True}"))],
)
def arguments_python_literal(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if classify(call) == "python-literal":
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: its arguments are a Python literal",
                call.arguments[:120],
                call=call,
                event=event,
                pointer=pointer,
            )
