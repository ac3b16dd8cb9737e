"""A function name with a dot.

The API reference does not allow it.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import body, tool


@scenario(title="A function name holds a dot", modes=["complete"])
def tools_dotted_name(model: str) -> Conversation:
    weather_get = tool("weather.get", "Get the current weather in a city", city={"type": "string"})
    yield Ask(body(model, "Say hello.", [weather_get], max_tokens=16))
