"""Two calls, one result.

OpenAI rejects it: each call needs a result. Whoever answers hides a bug of the client.
"""

from conformance.scenarios.history import OTHER_ID, ROME, call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario


@scenario(title="One of two calls has no result", modes=["complete"])
def history_result_missing(model: str) -> Conversation:
    yield Ask(past(model, turn(call(), call(OTHER_ID, ROME)), result()))
