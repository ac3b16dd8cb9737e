"""Whose result is it: two calls of one tool, and their results in the other order.

Only the ids tell. The answer shows whether the server pairs results with calls by id or by position, twice, with fresh
words. In both modes, because some servers render a history by another path for a stream. Source: reference document
000 §0, §3.
"""

from conformance.scenarios.link import STEPS, TRIALS, established
from conformance.scenarios.registry import Conversation, scenario


@scenario(title="The answer shows whether ids link results in the other order", features=["parallel"], steps=STEPS)
def link_order(model: str) -> Conversation:
    setting = yield from established(model)
    if setting is not None:
        for _ in range(TRIALS):
            yield setting.ask(order=(1, 0))
