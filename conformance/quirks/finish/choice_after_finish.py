"""An empty choice follows the finish reason.

Clients that read `delta` or the finish reason of the last chunk find nothing there.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, TOOLS, api, calls, chunk, counted, entry, events, issue
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    modes=["stream"],
    needs=["choices"],
    sources=[api(), issue("microsoft/autogen#6465")],
    expected="no further chunk for the choice",
    guard="Keep the first finish reason; ignore choices that say nothing.",
    guard_python="finish_reason = finish_reason or choice.finish_reason",
    guard_typescript="finishReason ||= choice.finish_reason;",
    report="After the finish chunk a further chunk repeats the choice without a finish reason.",
    good=[GOOD_STREAM],
    bad=[
        Example(
            events(
                chunk(calls(entry(0, "call_a1", "get_weather", PARIS), role="assistant", content=None)),
                chunk({}, "tool_calls"),
                chunk({}),
                "[DONE]",
            ),
            TOOLS,
        )
    ],
)
def choice_after_finish(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.CHOICE_AFTER_FINISH)
        if mark is not None:
            yield Hit(
                f"{counted(mark.count, 'chunk repeats', 'chunks repeat')} the choice after its end",
                "an empty choice",
                mark,
                choice=choice,
            )
