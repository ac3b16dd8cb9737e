"""Arguments as an object.

The API reference has a string, OpenAI rejects an object.
"""

from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario


@scenario(title="The arguments of a past call are an object", modes=["complete"])
def history_arguments_object(model: str) -> Conversation:
    yield Ask(past(model, turn(call(arguments={"city": "Paris"})), result()))
