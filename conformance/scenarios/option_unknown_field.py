"""A field that no API reference knows.

OpenAI rejects it, most servers ignore it.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_WEATHER, body


@scenario(title="The request holds an unknown field", modes=["complete"])
def option_unknown_field(model: str) -> Conversation:
    yield Ask(body(model, "Say hello.", [GET_WEATHER], x_unknown=True, max_tokens=16))
