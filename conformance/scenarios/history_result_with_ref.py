"""A tool message whose text is JSON with `$ref` and `$defs`.

It is a string like any other; gateways that parse it take the reference for one of theirs.
"""

from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario


@scenario(title="The result is JSON that holds a reference", modes=["complete"])
def history_result_with_ref(model: str) -> Conversation:
    text = '{"schema":{"$ref":"#/$defs/level"},"$defs":{"level":{"type":"number"}}}'
    yield Ask(past(model, turn(call()), result(content=text)))
