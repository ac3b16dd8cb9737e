"""No `content` beside the calls.

Required unless there are calls, says the API reference.
"""

from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario


@scenario(title="The assistant message has no content beside its call", modes=["complete"])
def history_content_absent(model: str) -> Conversation:
    yield Ask(past(model, turn(call(), content=...), result()))
