"""Text and a call in one answer.

Allowed, and common with larger models: clients show the text and still run the call. Source: reference document 001.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_WEATHER, body

_PROMPT = (
    "What is the weather in Paris? First write one short sentence that says what you are going to do. "
    "Then call the get_weather tool in the same reply."
)


@scenario(title="The model writes a sentence and then calls a tool")
def text_then_call(model: str) -> Conversation:
    yield Ask(body(model, _PROMPT, [GET_WEATHER]))
