"""A call, its result, and the answer to it.

The server's own id and arguments go back byte for byte, be the id empty. Source: reference document 000 §3. The model
may answer or call again; if it did not call at first, the conversation ends there.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_WEATHER, WEATHER_QUESTION, body, runnable, with_results


@scenario(title="The result of a call goes back with the server's own id", steps=2)
def round_trip(model: str) -> Conversation:
    first = body(model, WEATHER_QUESTION, [GET_WEATHER], tool_choice="required")
    transcript = yield Ask(first)
    if calls := runnable(transcript):
        yield Ask(with_results(first, transcript, calls))
