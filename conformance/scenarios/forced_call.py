"""`tool_choice: "required"`: the model has to call some tool.

Servers that constrain the output write calls by another path here than under `auto`.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_WEATHER, WEATHER_QUESTION, body


@scenario(title="The request requires a call", features=["required"])
def forced_call(model: str) -> Conversation:
    yield Ask(body(model, WEATHER_QUESTION, [GET_WEATHER], tool_choice="required"))
