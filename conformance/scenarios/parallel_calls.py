"""Two calls of the same tool in one answer.

Where calls are told apart by `index` alone, a missing or repeated one merges them. Source: reference document 003.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_WEATHER, body

_PROMPT = "Do two things at once: call get_weather for Paris and call get_weather for Tokyo."


@scenario(title="The model calls the same tool twice in one answer", features=["parallel"])
def parallel_calls(model: str) -> Conversation:
    yield Ask(body(model, _PROMPT, [GET_WEATHER], parallel_tool_calls=True))
