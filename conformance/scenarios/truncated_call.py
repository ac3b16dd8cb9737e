"""An answer that `max_tokens` cuts in the middle of a call.

The finish reason is `length`, and nothing in the answer pretends that the call is whole.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import SAVE_NOTE, body

_PROMPT = (
    "Call the save_note tool with this text: The train to the coast leaves every morning at seven from platform two."
)


@scenario(title="The token limit cuts the answer inside a call")
def truncated_call(model: str) -> Conversation:
    yield Ask(body(model, _PROMPT, [SAVE_NOTE], tool_choice="required", max_tokens=12))
