"""A schema with `oneOf` at its root.

OpenAI rejects it and names the function; others take it.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import body, tool

_PARAMETERS = {
    "type": "object",
    "properties": {"one": {"type": "string"}, "many": {"type": "array", "items": {"type": "string"}}},
    "oneOf": [{"required": ["one"]}, {"required": ["many"]}],
}


@scenario(title="A schema is a union", modes=["complete"])
def tools_schema_union(model: str) -> Conversation:
    read_any = tool("read_any", "Read one file or many")
    read_any["function"]["parameters"] = _PARAMETERS
    yield Ask(body(model, "Say hello.", [read_any], max_tokens=16))
