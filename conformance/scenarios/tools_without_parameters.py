"""A function that leaves `parameters` out.

It takes none, says the API reference.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import body

_LIST_TABS = {"type": "function", "function": {"name": "list_tabs", "description": "List the open tabs"}}


@scenario(title="A function has no parameters", modes=["complete"])
def tools_without_parameters(model: str) -> Conversation:
    yield Ask(body(model, "Call the list_tabs tool.", [_LIST_TABS], max_tokens=48))
