"""`tool_choice: "auto"`, spelt out, with two tools.

One of them fits.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_TIME, GET_WEATHER, WEATHER_QUESTION, body


@scenario(title="The default choice is spelt out, with two tools", modes=["complete"])
def choice_auto_two(model: str) -> Conversation:
    yield Ask(body(model, WEATHER_QUESTION, [GET_TIME, GET_WEATHER], tool_choice="auto", max_tokens=64))
