"""The first entry of a call has null arguments, text follows.

Clients that start from the first value and append fail on null, or begin the text with `null`.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, api, calls, entry, marked, of_call, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["continuations", "presence"],
    sources=[reference("000", "§1"), api()],
    expected='`""` or the first piece of text',
    guard="Append only non-empty strings.",
    guard_python="if entry.function and entry.function.arguments:\n    call.arguments += entry.function.arguments",
    guard_typescript='call.arguments += entry.function?.arguments ?? "";',
    report="The first delta of a tool call carries `arguments: null`.",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", None)), calls(entry(0, arguments=PARIS)))],
)
def arguments_null_first(t: Transcript) -> Iterator[Hit]:
    for call, mark, _ in marked(t, Fact.ARGUMENTS_MISSING_OPENING, "null"):
        if call.pieces:
            yield Hit(f"{of_call(call)}: its first entry has null arguments", "arguments null", mark, call)
