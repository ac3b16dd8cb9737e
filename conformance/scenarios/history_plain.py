"""A history of one call and its result, with nothing unusual in it.

Its tool message has no `name`, as the API reference has it; gateways to APIs that pair results by name demand one.
Neither reasoning nor a signature goes back, since none came. What a server makes of the other histories is seen
against this one.
"""

from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario


@scenario(title="A plain history with one call and its result", modes=["complete"])
def history_plain(model: str) -> Conversation:
    yield Ask(past(model, turn(call()), result()))
