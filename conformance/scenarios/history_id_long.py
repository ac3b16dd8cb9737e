"""An id of 48 characters.

OpenAI rejects more than 40; other servers issue such ids.
"""

from conformance.quirks.traits import MADE_UP
from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario

_ID = f"call_{MADE_UP}_" + "0123456789abcdef" * 2 + "0123"


@scenario(title="The id has more than 40 characters", modes=["complete"])
def history_id_long(model: str) -> Conversation:
    yield Ask(past(model, turn(call(_ID)), result(_ID)))
