"""Two choices of one document share an index.

Clients read the first and lose the second, mostly the one with the calls.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.quirks.common import GOOD_COMPLETE, TOOLS, api, counted
from conformance.quirks.registry import Example, Hit, quirk
from conformance.wire.facts import Fact
from conformance.wire.transcript import Transcript


@quirk(
    level="must",
    needs=["choices"],
    sources=[api("chat")],
    expected="one choice per index",
    guard="With `n` absent or 1, read all choices as one.",
    report="One document carries two choices with the same index.",
    good=[GOOD_COMPLETE],
    bad=[
        Example(
            '{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":['
            '{"index":0,"message":{"role":"assistant","content":"Let me look."},"finish_reason":"tool_calls"},'
            '{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_a1","type":"function",'
            '"function":{"name":"get_weather","arguments":"{\\"city\\":\\"Paris\\"}"}}]},"finish_reason":"tool_calls"}]}',
            {**TOOLS, "stream": False},
        )
    ],
    also={"finish-repeated"},
)
def choice_duplicate(t: Transcript) -> Iterator[Hit]:
    mark = t.facts.get(Fact.CHOICE_DUPLICATE)
    if mark is not None:
        yield Hit(f"{counted(mark.count, 'choice repeats', 'choices repeat')} an index", f"index {mark.sample}", mark)
