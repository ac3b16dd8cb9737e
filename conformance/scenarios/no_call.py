"""`tool_choice: "none"` with a question that begs for the tool.

A call here is a call that nobody allowed; text that looks like one is a call in the wrong place.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_WEATHER, body


@scenario(title="The request forbids calls though a tool fits", features=["none"])
def no_call(model: str) -> Conversation:
    yield Ask(body(model, "What is the weather in Paris?", [GET_WEATHER], tool_choice="none"))
