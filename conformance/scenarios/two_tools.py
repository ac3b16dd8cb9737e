"""Two calls of different tools in one answer.

Small models manage this more often than two calls of the same tool.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_TIME, GET_WEATHER, TWO_TOOLS_QUESTION, body


@scenario(title="The model calls two different tools in one answer", features=["parallel"])
def two_tools(model: str) -> Conversation:
    yield Ask(body(model, TWO_TOOLS_QUESTION, [GET_WEATHER, GET_TIME], parallel_tool_calls=True))
