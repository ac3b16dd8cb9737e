"""`tool_choice` names the only tool.

Servers that take this for `required` are right by chance.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_WEATHER, body


@scenario(title="The request names the only function", modes=["complete"], features=["named"])
def choice_named_one(model: str) -> Conversation:
    named = {"type": "function", "function": {"name": "get_weather"}}
    yield Ask(body(model, "Good morning!", [GET_WEATHER], tool_choice=named, max_tokens=96))
