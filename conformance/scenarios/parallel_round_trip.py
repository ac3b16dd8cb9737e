"""Two calls, and their results in the other order.

Only the ids tell which result belongs to which call. If the model made fewer than two calls, the conversation ends.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_TIME, GET_WEATHER, TWO_TOOLS_QUESTION, body, runnable, with_results


@scenario(title="Two results go back in the other order", features=["parallel"], steps=2)
def parallel_round_trip(model: str) -> Conversation:
    first = body(model, TWO_TOOLS_QUESTION, [GET_WEATHER, GET_TIME], parallel_tool_calls=True)
    transcript = yield Ask(first)
    calls = runnable(transcript)
    if len(calls) > 1:
        yield Ask(with_results(first, transcript, calls[::-1]))
