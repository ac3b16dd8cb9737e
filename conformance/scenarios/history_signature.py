"""A call with a field that the server may not know.

Signatures have to go back to whoever issued them; everybody else has to ignore them.
"""

from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario


@scenario(title="A signature goes back with the call", modes=["complete"])
def history_signature(model: str) -> Conversation:
    signed = call(extra_content={"google": {"thought_signature": "c2lnLTAwMQ=="}})
    yield Ask(past(model, turn(signed), result()))
