"""`content: null` beside the calls.

The reference documents show the message so. Source: reference document 000 §3, 001.
"""

from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario


@scenario(title="The assistant message has null content beside its call", modes=["complete"])
def history_content_null(model: str) -> Conversation:
    yield Ask(past(model, turn(call(), content=None), result()))
