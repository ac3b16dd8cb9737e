"""`Accept-Encoding: gzip`, where all other scenarios ask for identity.

Clients ask for compression by default; servers and gateways that compress a stream may hold back or cut its end.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import GET_WEATHER, WEATHER_QUESTION, body


@scenario(title="The client accepts a compressed answer")
def compressed(model: str) -> Conversation:
    yield Ask(body(model, WEATHER_QUESTION, [GET_WEATHER], tool_choice="required"), {"accept-encoding": "gzip"})
