"""`parallel_tool_calls: false` with a question that begs for two calls.

One call at most may come.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_TIME, GET_WEATHER, TWO_TOOLS_QUESTION, body


@scenario(title="The request allows one call at most", modes=["complete"], features=["parallel"])
def option_one_call(model: str) -> Conversation:
    yield Ask(body(model, TWO_TOOLS_QUESTION, [GET_WEATHER, GET_TIME], parallel_tool_calls=False, max_tokens=96))
