"""`content: ""` beside the calls.

Many servers answer so, and clients send back what came.
"""

from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario


@scenario(title="The assistant message has empty content beside its call", modes=["complete"])
def history_content_empty(model: str) -> Conversation:
    yield Ask(past(model, turn(call(), content=""), result()))
