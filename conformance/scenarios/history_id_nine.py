"""Ids of nine letters and digits.

The only form that Mistral takes.
"""

from conformance.quirks.traits import MADE_UP
from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario

_ID = f"{MADE_UP}001"


@scenario(title="The id has nine letters and digits", modes=["complete"])
def history_id_nine(model: str) -> Conversation:
    yield Ask(past(model, turn(call(_ID)), result(_ID)))
