"""A schema with `type: ["string", "null"]`.

So is a nullable property written.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import body, tool


@scenario(title="A property has two types", modes=["complete"])
def tools_type_array(model: str) -> Conversation:
    get_weather = tool("get_weather", "Get the current weather in a city", city={"type": ["string", "null"]})
    yield Ask(body(model, "Say hello.", [get_weather], max_tokens=16))
