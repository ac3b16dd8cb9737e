"""A tool without parameters.

Its arguments are `{}`; some servers send `""`, `null` or nothing at all.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import body, tool


@scenario(title="The model calls a tool that takes no arguments")
def zero_argument_call(model: str) -> Conversation:
    ping = tool("ping", "Check that the service is up. Takes no arguments")
    yield Ask(body(model, "Call the ping tool.", [ping], tool_choice="required"))
