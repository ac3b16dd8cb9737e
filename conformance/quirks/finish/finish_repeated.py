"""A choice gets more than one finish reason.

A client that closes the turn at each of them runs the calls twice.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_STREAM, PARIS, TOOLS, api, calls, chunk, counted, entry, events, issue
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.transcript import Transcript


@quirk(
    level="should",
    needs=["choices"],
    sources=[api(), issue("ducks/claux#43")],
    seen=[issue("open-webui/open-webui#23929")],
    expected="one finish reason per choice",
    guard="Act once, at the end of the stream.",
    report="A choice carries `finish_reason` on more than one chunk.",
    good=[GOOD_STREAM],
    bad=[
        Example(
            events(
                chunk(calls(entry(0, "call_a1", "get_weather", PARIS), role="assistant", content=None)),
                chunk({}, "tool_calls"),
                chunk({}, "tool_calls"),
                "[DONE]",
            ),
            TOOLS,
        )
    ],
)
def finish_repeated(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        if len(choice.finish_reasons) > 1:
            reasons = [reason for reason, _ in choice.finish_reasons][:6]
            yield Hit(
                f"the choice gets {counted(len(choice.finish_reasons), 'finish reason')}",
                ", ".join(reasons),
                choice=choice,
                event=choice.finish_reasons[1][1],
            )
