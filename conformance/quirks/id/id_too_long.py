"""An id is longer than 40 characters.

OpenAI rejects longer ids in the history, so a conversation that moves to another provider fails. Some gateways pack a
signature into the id.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, calls, counted, entry, issue, of_call, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    layer="gateway",
    needs=["calls", "ids"],
    sources=[issue("BerriAI/litellm#11392"), issue("openai/codex#14355")],
    seen=[issue("BerriAI/litellm#41534"), issue("langgenius/dify#28987"), issue("camel-ai/camel#2215")],
    expected="at most 40 characters",
    guard="Keep the id as it is with this provider; map ids in both messages when a conversation changes provider.",
    report="Tool-call ids are longer than 40 characters, which OpenAI rejects in the history.",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_" + "x" * 36, "get_weather", PARIS)))],
)
def id_too_long(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if len(call.id) > 40:
            yield Hit(
                f"{of_call(call)}: its id has {counted(len(call.id), 'character')}",
                f"id {call.id[:60]!r}",
                call=call,
                event=call.opened[0],
                pointer=f"{call.opened[1]}/id",
            )
