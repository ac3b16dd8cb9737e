"""A tool message whose content is an array of text parts.

The API reference allows it, and some agents send nothing else.
"""

from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario


@scenario(title="The result is an array of text parts", modes=["complete"])
def history_result_array(model: str) -> Conversation:
    parts = [{"type": "text", "text": "18 degrees,"}, {"type": "text", "text": "light rain"}]
    yield Ask(past(model, turn(call()), result(content=parts)))
