"""The empty id on both sides.

So do the reference documents link where no id came. Source: reference document 000 §0, §5.
"""

from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario


@scenario(title="The id is empty on both sides", modes=["complete"])
def history_id_empty(model: str) -> Conversation:
    yield Ask(past(model, turn(call("")), result("")))
