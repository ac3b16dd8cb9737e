"""`tool_choice: "required"` with two tools.

The model has to call one of them, also where none fits.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_TIME, GET_WEATHER, body


@scenario(title="The request requires a call of one of two tools", modes=["complete"], features=["required"])
def choice_required_two(model: str) -> Conversation:
    yield Ask(body(model, "Good morning!", [GET_TIME, GET_WEATHER], tool_choice="required", max_tokens=96))
