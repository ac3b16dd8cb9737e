"""`tool_choice` names one of two tools.

OpenAI itself ends such an answer with `stop`, others with `tool_calls`; both are right.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_TIME, GET_WEATHER, WEATHER_QUESTION, body


@scenario(title="The request names the function to call", features=["named"])
def named_call(model: str) -> Conversation:
    named = {"type": "function", "function": {"name": "get_weather"}}
    yield Ask(body(model, WEATHER_QUESTION, [GET_TIME, GET_WEATHER], tool_choice=named))
