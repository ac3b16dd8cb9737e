"""`tool_choice: "auto"`, spelt out, with one tool.

It is the default; servers that cannot parse calls reject it.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_WEATHER, WEATHER_QUESTION, body


@scenario(title="The default choice is spelt out, with one tool", modes=["complete"])
def choice_auto_one(model: str) -> Conversation:
    yield Ask(body(model, WEATHER_QUESTION, [GET_WEATHER], tool_choice="auto", max_tokens=64))
