"""Reasoning comes in a field of another name in one mode.

Outside the reference either way. A client that shows or returns reasoning finds it in one mode only.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import PARIS, api, beside, calls, complete, entry, stream
from conformance.quirks.registry import Hit, quirk
from conformance.quirks.twins import pairs
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript

_STREAM = stream(calls(entry(0, "call_a1", "get_weather", PARIS), reasoning_content="They ask for the weather."))


@quirk(
    level="info",
    modes=["stream"],
    needs=["twin-reasoning"],
    sources=[api("chat")],
    expected="one name in both modes",
    guard="Look for reasoning under both names, `reasoning_content` and `reasoning`.",
    report="",
    good=[beside(_STREAM, complete(entry(..., "call_a1", "get_weather", PARIS), reasoning_content="Weather, then."))],
    bad=[beside(_STREAM, complete(entry(..., "call_a1", "get_weather", PARIS), reasoning="Weather, then."))],
)
def parity_reasoning_field(t: Transcript) -> Iterator[Hit]:
    for choice, there in pairs(t):
        if choice.reasoning and there.reasoning_field and choice.reasoning_field != there.reasoning_field:
            yield Hit(
                f"reasoning comes in `{choice.reasoning_field}`, with `stream: false` in `{there.reasoning_field}`",
                choice.reasoning_field,
                choice.facts[Fact.DELTA_EXTRA],
                choice=choice,
            )
