"""Arguments of 2 KB and more: a text to be copied, which even small models do faithfully and finish.

Many fragments, and on slow servers a long silence: buffers, limits and lost pieces show here.
"""

from conformance.scenarios.registry import Ask, Conversation, scenario
from conformance.scenarios.request import SAVE_NOTE, body

TEXT = " ".join(
    f"On {day} the keeper of the lighthouse walked down to the harbour in the morning, counted the boats that had come "
    f"back during the night, wrote their names into the book, looked at the weather over the open water, and carried "
    f"{thing} up the long stairs again before the evening, because the lamp must never go out while ships are at sea."
    for day, thing in (
        ("Monday", "the oil"),
        ("Tuesday", "the bread"),
        ("Wednesday", "the letters"),
        ("Thursday", "the tools"),
        ("Friday", "the water"),
        ("Saturday", "the wood"),
        ("Sunday", "the flowers"),
    )
)
"""The text to copy; a little over 2 KB."""


@scenario(title="The arguments are longer than 2 KB")
def long_arguments(model: str) -> Conversation:
    prompt = f"Save this text with the save_note tool, complete and unchanged:\n\n{TEXT}"
    yield Ask(body(model, prompt, [SAVE_NOTE], tool_choice="required", max_tokens=1200))
