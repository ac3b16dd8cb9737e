"""An empty object `{}` comes before the real arguments.

Concatenated, the text does not parse. Usually the opening delta was filled with an empty object instead of an empty
string.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, api, calls, entry, of_call, reference, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["calls"],
    sources=[reference("000", "§1, fragments to concatenate"), api()],
    expected='`""` in the opening entry',
    guard="Where the text does not parse and begins with `{}`, drop these two characters.",
    guard_python='if text.startswith("{}") and text[2:].strip():\n    text = text[2:]',
    guard_typescript='if (text.startsWith("{}") && text.slice(2).trim()) text = text.slice(2);',
    report="The first argument delta is `{}`, the real arguments follow.",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "get_weather", "{}")), calls(entry(0, arguments=PARIS)))],
)
def arguments_leading_braces(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if call.repair == "brace-pair-dropped":
            event, pointer = call.arguments_first or call.opened
            yield Hit(
                f"{of_call(call)}: `{{}}` comes before its arguments",
                call.arguments_raw[:120],
                call=call,
                event=event,
                pointer=pointer,
            )
