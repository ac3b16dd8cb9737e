"""The server's own call goes back without what came beside it.

Reasoning and unknown fields are left out, as a client does that keeps to the API reference. If nothing came beside
the call, the conversation ends: a round trip has shown it.
"""

from conformance.scenarios.history import call, past, result, turn
from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_WEATHER, WEATHER_QUESTION, body, runnable


@scenario(title="What came beside a call is left out", modes=["complete"], features=["required"], steps=2)
def history_extras_left_out(model: str) -> Conversation:
    first = body(model, WEATHER_QUESTION, [GET_WEATHER], tool_choice="required")
    transcript = yield Ask(first)
    calls = runnable(transcript)
    extras = calls and (transcript.choices[0].reasoning or transcript.choices[0].extra or any(c.extra for c in calls))
    if extras:
        plain = [call(c.id, c.arguments) for c in calls]
        yield Ask(past(model, turn(*plain, content=None), *(result(c.id) for c in calls)))
