"""`tools: []`.

Clients that collect their tools send it when there are none.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import body


@scenario(title="The array of tools is empty", modes=["complete"])
def tools_empty(model: str) -> Conversation:
    yield Ask(body(model, "Say hello.", [], max_tokens=16))
