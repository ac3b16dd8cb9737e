"""`n: 2`.

Two choices come, each with its own index, or the error names the field.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_WEATHER, body


@scenario(title="The request asks for two choices", modes=["complete"])
def option_two_choices(model: str) -> Conversation:
    yield Ask(body(model, "Say hello.", [GET_WEATHER], n=2, max_tokens=16))
