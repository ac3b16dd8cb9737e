"""An id is not of the form that Mistral accepts.

Mistral takes nine letters or digits, nothing else. Nearly every provider's ids differ; it matters once a conversation
moves to a Mistral model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.quirks.common import PARIS, calls, entry, issue, of_call, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript

_NINE = re.compile(r"[A-Za-z0-9]{9}")


@quirk(
    level="info",
    needs=["calls", "ids"],
    sources=[issue("langchain-ai/langchain#24668"), issue("openclaw/openclaw#57672")],
    expected="nine letters or digits, where Mistral may answer next",
    guard="Map ids in both messages when a conversation moves to Mistral.",
    report="",
    good=[stream(calls(entry(0, "aB3dE6gH9", "get_weather", PARIS)))],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", PARIS)))],
)
def id_not_mistral_form(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if call.id and not _NINE.fullmatch(call.id):
            yield Hit(
                f"{of_call(call)}: its id is not nine letters or digits",
                f"id {call.id[:60]!r}",
                call=call,
                event=call.opened[0],
                pointer=f"{call.opened[1]}/id",
            )
