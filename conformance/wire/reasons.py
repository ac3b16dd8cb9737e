"""What a finish reason says about the calls before it, in OpenAI's word or another one. Standard library only.

OpenAI cuts an answer by `length` and `content_filter` and has no word for one that failed; the other words are those of
servers and of the APIs behind gateways (Anthropic, OpenAI Responses, Mistral, Zhipu).
"""

from __future__ import annotations

from typing import Final

LENGTH: Final = frozenset(("length", "max_tokens", "max_output_tokens", "model_length"))
"""The token limit ended the answer."""

_FILTERS: Final = frozenset(("content_filter", "sensitive"))


def cuts(reason: str) -> bool:
    """Whether the reason says that the answer was ended from outside: the call it had come to may lack its end."""
    return reason.casefold() in LENGTH | _FILTERS
