"""`tool_choice` names a function that is not offered.

OpenAI rejects it. Whoever answers may answer in words, but must not call another function.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_WEATHER, WEATHER_QUESTION, body


@scenario(title="The request names a function that is not offered", modes=["complete"], features=["named"])
def choice_unknown(model: str) -> Conversation:
    named = {"type": "function", "function": {"name": "get_tide"}}
    yield Ask(body(model, WEATHER_QUESTION, [GET_WEATHER], tool_choice=named, max_tokens=64))
