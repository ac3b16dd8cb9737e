"""Arguments that are an empty string.

Some servers send them so for a call without arguments. Rejected is fine if the error says what.
"""

from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario


@scenario(title="The arguments of a past call are empty", modes=["complete"])
def history_arguments_empty(model: str) -> Conversation:
    yield Ask(past(model, turn(call(arguments="")), result(content="not run: there are no arguments")))
