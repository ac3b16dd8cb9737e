"""A complete answer's choice has no `message`.

There is nothing to read; clients fail.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, TOOLS, api, spelled
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    modes=["complete"],
    needs=["choices"],
    sources=[api("chat")],
    expected="a `message` object",
    guard="Treat it as a failed request.",
    report="A choice of a complete answer has no `message` object.",
    good=[GOOD_COMPLETE],
    bad=[
        Example(
            '{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m",'
            '"choices":[{"index":0,"finish_reason":"stop"}]}',
            {**TOOLS, "stream": False},
        )
    ],
    also={"content-missing", "empty-turn", "role-missing"},
)
def message_missing(t: Transcript) -> Iterator[Hit]:
    for choice in t.choices:
        mark = choice.facts.get(Fact.MESSAGE_MISSING)
        if mark is not None:
            yield Hit(f"choice {choice.index} has no message", f"message {spelled(mark)}", mark, choice=choice)
