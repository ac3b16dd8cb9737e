"""Results in another order than their calls are given to the wrong calls.

Tools that run side by side end in any order; the id is what tells whose result is whose. Here two calls of one tool got
their results in the other order, each a word that nobody could guess, and the answer gives a call the word of the other
one. Mostly a chat template writes the results one after another and leaves the ids out, so that the model pairs them by
position; a gateway that files results by function name gives one of them to both. Nothing fails: the answer is fluent
and wrong.

The scenario shows with results in the calls' order first that the model can tell two words apart. A model that is shown
the ids and does not heed them looks the same from outside. In the examples `zubari` is the result of the call for Paris,
`komela` of the one for Tokyo.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import reference
from conformance.quirks.link._examples import TOOL_CALL_ID, answered, request, streamed
from conformance.quirks.probe import misled, probe
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript

_REQUEST = request(("call_b2", "komela"), ("call_a1", "zubari"))


@quirk(
    level="must",
    needs=["link-other-order"],
    sources=[reference("000", "§0, §3"), TOOL_CALL_ID],
    expected="each result given to the call whose id it names",
    guard="Send the results in the order of their calls.",
    guard_python=(
        "order = {call.id: n for n, call in enumerate(result.calls)}\n"
        'messages += sorted(results, key=lambda m: order[m["tool_call_id"]])'
    ),
    guard_typescript=(
        "const order = new Map(calls.map((call, n) => [call.id, n]));\n"
        "messages.push(...results.sort((a, b) => order.get(a.tool_call_id)! - order.get(b.tool_call_id)!));"
    ),
    report=(
        "Tool results are paired with their calls by position: sent in another order, with the right `tool_call_id`"
        " each, they are given to the wrong calls."
    ),
    good=[
        streamed(_REQUEST, "Paris: zubari, ", "Tokyo: komela"),
        answered(_REQUEST, "| City | Code word |\n|---|---|\n| Tokyo | **Komela** |\n| Paris | **Zubari** |"),
        answered(_REQUEST, "The code words are komela and zubari."),
    ],
    bad=[
        streamed(_REQUEST, "Paris: komela, ", "Tokyo: zubari"),
        answered(_REQUEST, "The code word of Tokyo is “zubari”, while Paris has “komela”."),
    ],
)
def results_by_position(t: Transcript) -> Iterator[Hit]:
    asked = probe(t.asked)
    city = misled(t, asked) if asked is not None else ""
    if city:
        yield Hit(
            f"{city} is given the result of the other call",
            t.choices[0].content,
            choice=t.choices[0],
            event=0 if t.mode == "stream" else None,
        )
