"""An id with a dot and a colon.

Kimi models issue ids of this form.
"""

from conformance.quirks.traits import MADE_UP
from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario

_ID = f"functions.{MADE_UP}:0"


@scenario(title="The id holds a dot and a colon", modes=["complete"])
def history_id_punctuation(model: str) -> Conversation:
    yield Ask(past(model, turn(call(_ID)), result(_ID)))
