"""A tool message whose content is the empty string.

A tool that prints nothing has nothing else to send.
"""

from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario


@scenario(title="The result is empty", modes=["complete"])
def history_result_empty(model: str) -> Conversation:
    yield Ask(past(model, turn(call()), result(content="")))
