"""A result behind an assistant message without calls.

OpenAI rejects it: a tool message answers a call.
"""

from conformance.scenarios.history import past, result
from conformance.scenarios.registry import Ask, Conversation, scenario


@scenario(title="A result answers no call", modes=["complete"])
def history_result_orphan(model: str) -> Conversation:
    yield Ask(past(model, {"role": "assistant", "content": "Let me look."}, result()))
