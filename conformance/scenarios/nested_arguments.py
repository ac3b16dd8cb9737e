"""Arguments with an object, an array, an enumeration, a number and a boolean.

Servers that rebuild the arguments from parsed values show it here: other types, lost levels, strings for numbers.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import body, tool

_PROMPT = (
    "Call create_event with: title Lunch, guests Ana and Ben, place room 4 in the city Oslo, "
    "priority high, hours 1.5, public false."
)


@scenario(title="The arguments hold every type JSON has")
def nested_arguments(model: str) -> Conversation:
    place = {
        "type": "object",
        "properties": {"city": {"type": "string"}, "room": {"type": "integer"}},
        "required": ["city", "room"],
        "additionalProperties": False,
    }
    create_event = tool(
        "create_event",
        "Create an event in the calendar",
        title={"type": "string"},
        guests={"type": "array", "items": {"type": "string"}},
        place=place,
        priority={"type": "string", "enum": ["low", "high"]},
        hours={"type": "number"},
        public={"type": "boolean"},
    )
    yield Ask(body(model, _PROMPT, [create_event], tool_choice="required"))
