"""A question that one call of one tool answers; the model decides by itself (`tool_choice` is the default).

The plainest case there is. A model that answers in prose shows nothing about calls.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_WEATHER, WEATHER_QUESTION, body


@scenario(title="The model calls one tool with one argument")
def single_call(model: str) -> Conversation:
    yield Ask(body(model, WEATHER_QUESTION, [GET_WEATHER]))
