"""`stream_options: {"include_usage": true}` beside a call.

The usage comes in a last chunk of its own with empty `choices`, on the chunk with the finish reason, or on every chunk.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_WEATHER, WEATHER_QUESTION, body


@scenario(title="The stream reports token usage", modes=["stream"], features=["stream_usage"])
def usage_in_stream(model: str) -> Conversation:
    options = {"include_usage": True}
    yield Ask(body(model, WEATHER_QUESTION, [GET_WEATHER], tool_choice="required", stream_options=options))
