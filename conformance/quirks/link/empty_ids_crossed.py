"""Results of calls with empty ids are given to the wrong calls.

Where a server sends no ids, the client sends `""` on both sides, and the order is all that links. A server that files
results by id keeps one of two then, and gives it to both calls. In the examples the first result, `zubari`, is that of
the call for Paris, `komela` that of the call for Tokyo.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import reference
from conformance.quirks.link._examples import TOOL_CALL_ID, answered, request, streamed
from conformance.quirks.probe import misled, probe
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript

_REQUEST = request(("", "zubari"), ("", "komela"), calls=("", ""))


@quirk(
    level="should",
    needs=["link-empty-ids"],
    sources=[reference("000", "§0, §5"), TOOL_CALL_ID],
    expected="an error that names the id, or results given to the calls in order",
    guard="Ask for one call at a time (`parallel_tool_calls: false`) where a server sends no ids.",
    report="Results of calls with the empty id, sent in the order of the calls, are given to the wrong calls.",
    good=[
        answered(_REQUEST, "Paris: zubari, Tokyo: komela"),
        streamed(_REQUEST, "zubari is the code word of Paris, ", "komela that of Tokyo."),
    ],
    bad=[
        answered(_REQUEST, "Paris: komela, Tokyo: zubari"),
        streamed(_REQUEST, "zubari is the code word of Tokyo, ", "komela that of Paris."),
    ],
)
def empty_ids_crossed(t: Transcript) -> Iterator[Hit]:
    asked = probe(t.asked)
    city = misled(t, asked) if asked is not None else ""
    if city:
        yield Hit(
            f"{city} is given the result of the other call",
            t.choices[0].content,
            choice=t.choices[0],
            event=0 if t.mode == "stream" else None,
        )
