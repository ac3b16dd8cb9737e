"""Two results in the other order than their calls.

The id links, whatever the order. Source: reference document 000 §0.
"""

from conformance.scenarios.history import OTHER_ID, ROME, call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario


@scenario(title="Two results come in the other order than their calls", modes=["complete"])
def history_results_reordered(model: str) -> Conversation:
    messages = [turn(call(), call(OTHER_ID, ROME)), result(OTHER_ID, "25 degrees, clear"), result()]
    yield Ask(past(model, *messages))
