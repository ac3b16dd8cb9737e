"""`tool_choice` without `tools`.

OpenAI rejects it.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import body


@scenario(title="The request chooses among no tools", modes=["complete"])
def choice_without_tools(model: str) -> Conversation:
    request = body(model, "Say hello.", [], tool_choice="auto", max_tokens=16)
    del request["tools"]
    yield Ask(request)
