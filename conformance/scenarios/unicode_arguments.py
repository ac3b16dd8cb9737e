"""Arguments with accents, Chinese, and characters beyond the basic plane.

Servers that cut fragments by token or by byte break these: halves of surrogate pairs, replacement characters.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import SAVE_NOTE, body

_PROMPT = "Save exactly this text with the save_note tool: Grüße aus Zürich, 你好 🌍👍"


@scenario(title="The arguments hold text beyond ASCII and emoji")
def unicode_arguments(model: str) -> Conversation:
    yield Ask(body(model, _PROMPT, [SAVE_NOTE], tool_choice="required"))
