"""A result whose id names no call is used as if it were linked.

OpenAI rejects such a request. A server that takes it lets the model read a result that belongs to nobody; here the
answer gives its word to the call that got none. A client that mixes up its ids, after a retry or across turns, is never
told, and its user reads a wrong answer. In the examples `zubari` is the result of the call for Paris, and the id of
`komela` names no call.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import reference
from conformance.quirks.link._examples import TOOL_CALL_ID, answered, request, streamed
from conformance.quirks.probe import probe, strayed
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript

_LINKED = request(("call_a1", "zubari"), ("call_b2", "komela"))
_STRAY = request(("call_a1", "zubari"), ("call_b7", "komela"))


@quirk(
    level="should",
    needs=["link-unknown-id"],
    sources=[reference("000", "§3, §7"), TOOL_CALL_ID],
    expected="an error that names the id, or an answer without that result",
    guard="Check before sending that every `tool_call_id` stands in the assistant message before it.",
    guard_python='assert {m["tool_call_id"] for m in results} == {call.id for call in result.calls}',
    guard_typescript="const [asked, answered] = [calls.map((c) => c.id), results.map((m) => m.tool_call_id)];\n"
    "console.assert(asked.every((i) => answered.includes(i)) && answered.every((i) => asked.includes(i)));",
    report="A tool result whose `tool_call_id` names no call is accepted, and used as the result of another call.",
    good=[answered(_LINKED, "Paris: zubari, Tokyo: komela")],
    bad=[
        answered(_STRAY, "The code word of Paris is zubari, and the code word of Tokyo is komela."),
        streamed(_STRAY, "- Tokyo: **komela**\n", "- Paris: **zubari**"),
    ],
    also=["result-missing", "result-orphan"],
)
def unknown_id_used(t: Transcript) -> Iterator[Hit]:
    asked = probe(t.asked)
    city = strayed(t, asked) if asked is not None and t.choices else ""
    if city:
        yield Hit(
            f"{city} is given the result of no call",
            t.choices[0].content,
            choice=t.choices[0],
            event=0 if t.mode == "stream" else None,
        )
