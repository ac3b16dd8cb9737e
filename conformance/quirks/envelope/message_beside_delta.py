"""A streamed choice carries a `message`.

Clients that read both count the content twice, or run the calls twice.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, TOOLS, api, calls, chunk, entry, events, in_chunks, issue
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["choices"],
    sources=[api(), issue("microsoft/foundry-local#144")],
    seen=[issue("microsoft/foundry-local#221")],
    expected="`delta` only",
    guard="In a stream read `delta` only.",
    report="Chunks carry a `message` object beside (or instead of) `delta`.",
    good=[GOOD_STREAM],
    bad=[
        Example(
            events(
                chunk(calls(entry(0, "call_a1", "get_weather", PARIS), role="assistant", content=None)),
                {
                    **chunk(),
                    "choices": [
                        {
                            "index": 0,
                            "delta": {},
                            "message": calls(entry(0, "call_a1", "get_weather", PARIS), role="assistant", content=None),
                            "finish_reason": "tool_calls",
                        }
                    ],
                },
                "[DONE]",
            ),
            TOOLS,
        )
    ],
)
def message_beside_delta(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.MESSAGE_BESIDE_DELTA)
        if mark is not None:
            yield Hit(
                f"{in_chunks(t, mark.count, 'carries', 'carry')} a message", "message beside delta", mark, choice=choice
            )
