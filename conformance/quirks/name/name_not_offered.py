"""A call names a function that the request does not offer.

The model made it up, or the server left a wrapper in front of it (`functions.`, `default_api.`). Running the nearest
tool instead would be a guess.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, calls, entry, issue, of_call, stream
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    layer="model",
    needs=["calls", "tools"],
    sources=[issue("tontinton/maki#505"), issue("QwenLM/Qwen3.8#15"), issue("OpenHands/OpenHands#5111")],
    expected="one of the offered names",
    guard="Answer the call with an error result that lists the offered names; do not run anything.",
    guard_python='if call.name not in tools:\n    result = f"unknown tool {call.name}; offered: {sorted(tools)}"',
    report="A tool call names a function that was not offered.",
    good=[GOOD_STREAM],
    bad=[stream(calls(entry(0, "call_a1", "functions.get_weather", PARIS)))],
)
def name_not_offered(t: Transcript) -> Iterator[Hit]:
    for call in t.calls:
        if call.name and call.name not in t.asked.tools:
            offered = ", ".join(sorted(t.asked.tools))[:120]
            wrapped = any(call.name.endswith(sep + name) for name in t.asked.tools for sep in ".:/")
            yield Hit(
                f"{of_call(call)} was not offered" + (" under this prefix" if wrapped else ""),
                f"name {call.name!r}",
                call=call,
                event=call.opened[0],
                pointer=f"{call.opened[1]}/function/name",
                expected=f"one of: {offered}",
                layer="server" if wrapped else None,
            )
