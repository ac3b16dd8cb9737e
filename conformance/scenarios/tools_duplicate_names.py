"""Two functions of one name.

The API reference does not say what happens then.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import body, tool


@scenario(title="Two functions have the same name", modes=["complete"])
def tools_duplicate_names(model: str) -> Conversation:
    by_number = tool("get_item", "Get an item by its number", number={"type": "integer"})
    by_code = tool("get_item", "Get an item by its code", code={"type": "string"})
    yield Ask(body(model, "Say hello.", [by_number, by_code], max_tokens=16))
