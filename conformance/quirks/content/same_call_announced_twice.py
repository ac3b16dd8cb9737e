"""One call seems to be announced twice, under two ids.

Two calls with equal name and arguments are legal. Where their ids differ in form as well, a gateway probably
announced the same call once by its own id and once by the upstream's.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import PARIS, calls, entry, issue, of_call, stream
from conformance.quirks.content._twins import different_form
from conformance.quirks.registry import Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    layer="gateway",
    needs=["two-calls", "ids"],
    sources=[issue("rbb-dev/Open-WebUI-OpenRouter-pipe#54")],
    seen=[issue("vercel-labs/ai-python#56"), issue("agno-agi/agno#2336")],
    expected="every call once",
    guard="Ask before running the second of two equal calls with side effects.",
    report="The same call comes twice, under ids of different form.",
    good=[
        stream(
            calls(entry(0, "call_a1", "get_weather", PARIS)),
            calls(entry(1, "call_b2", "get_weather", PARIS)),
        )
    ],
    bad=[
        stream(
            calls(entry(0, "fc_tmp_7", "get_weather", PARIS)),
            calls(entry(1, "call_7", "get_weather", PARIS)),
        )
    ],
)
def same_call_announced_twice(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        seen: dict[tuple[str, str], str] = {}
        for call in choice.calls:
            key = (call.name, call.arguments)
            first = seen.setdefault(key, call.id)
            if first and call.id and first != call.id and different_form(first, call.id):
                yield Hit(
                    f"{of_call(call)} equals an earlier call but for the form of its id",
                    f"ids {first!r} and {call.id!r}",
                    call=call,
                    event=call.opened[0],
                    pointer=f"{call.opened[1]}/id",
                )
