"""A function name of 64 characters.

As long as the API reference allows; the call has to come under the very name.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import body, tool

_NAME = "get_weather_of_a_city_by_its_name_in_any_language_of_the_world-0"


@scenario(title="A function name has 64 characters", modes=["complete"])
def tools_long_name(model: str) -> Conversation:
    long_name = tool(_NAME, "Get the current weather in a city", city={"type": "string"})
    yield Ask(body(model, "What is the weather in Paris? Call the tool.", [long_name], max_tokens=64))
