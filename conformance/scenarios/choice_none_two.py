"""`tool_choice: "none"` with two tools.

Neither may be called.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_TIME, GET_WEATHER, body


@scenario(title="The request forbids calls of two tools", modes=["complete"], features=["none"])
def choice_none_two(model: str) -> Conversation:
    yield Ask(body(model, "What is the weather in Paris?", [GET_TIME, GET_WEATHER], tool_choice="none", max_tokens=64))
