"""`reasoning_content` beside the calls.

Some providers demand what they sent, some reject the field.
"""

from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario


@scenario(title="Reasoning goes back with the call", modes=["complete"])
def history_reasoning(model: str) -> Conversation:
    yield Ask(past(model, turn(call(), reasoning_content="I need the weather."), result()))
