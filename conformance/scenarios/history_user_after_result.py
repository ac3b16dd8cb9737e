"""A user message right behind a tool result.

So does a history look in which the user interrupted. Templates that demand an assistant message between the two
reject it.
"""

from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario


@scenario(title="The user speaks right after a result", modes=["complete"])
def history_user_after_result(model: str) -> Conversation:
    yield Ask(past(model, turn(call()), result(), {"role": "user", "content": "Is that warm?"}))
