"""Arguments that were cut off.

A server may reject them if the error says which, but must not fail. Source: reference document 000 §4.
"""

from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario


@scenario(title="The arguments of a past call are broken JSON", modes=["complete"])
def history_arguments_invalid(model: str) -> Conversation:
    yield Ask(past(model, turn(call(arguments='{"city": "')), result(content="not run: the arguments were cut off")))
