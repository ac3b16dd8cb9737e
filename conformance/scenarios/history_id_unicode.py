"""An id with letters beyond ASCII.

It is a string that links, and nothing else.
"""

from conformance.quirks.traits import MADE_UP
from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario

_ID = f"call_{MADE_UP}_né_天気"


@scenario(title="The id holds letters beyond ASCII", modes=["complete"])
def history_id_unicode(model: str) -> Conversation:
    yield Ask(past(model, turn(call(_ID)), result(_ID)))
