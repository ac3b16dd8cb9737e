"""A function with `strict: true`.

The arguments then keep to the schema.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_WEATHER, WEATHER_QUESTION, body


@scenario(title="A function is strict", modes=["complete"], features=["strict"])
def option_strict(model: str) -> Conversation:
    strict = {**GET_WEATHER, "function": {**GET_WEATHER["function"], "strict": True}}
    yield Ask(body(model, WEATHER_QUESTION, [strict], max_tokens=64))
