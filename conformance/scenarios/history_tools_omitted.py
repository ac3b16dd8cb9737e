"""Calls in the history, no tools in the request.

A last turn that only sums up offers none any more.
"""

from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario


@scenario(title="The second turn offers no tools", modes=["complete"])
def history_tools_omitted(model: str) -> Conversation:
    request = past(model, turn(call()), result())
    del request["tools"]
    yield Ask(request)
