"""What the end of an answer says about its calls, in OpenAI's words or others. Standard library only.

OpenAI cuts an answer by `length` and `content_filter`, and has no word for one that failed. The other words are those
of servers and of the APIs behind gateways: DeepSeek, Google, Mistral, OpenRouter, SGLang, vLLM, Zhipu.
"""

from __future__ import annotations

from typing import Final

LENGTH: Final = frozenset(
    ("length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded")
)
"""The token limit ended the answer."""

_FILTERS: Final = frozenset(("content_filter", "sensitive"))
# fmt: off
_FAILURES: Final = frozenset((
    "error", "abort", "aborted", "cancelled", "canceled", "network_error", "insufficient_system_resource",
    "malformed_function_call",
))
# fmt: on


def cuts(reason: str) -> bool:
    """Whether the reason says that the answer was ended from outside: the call it had come to may lack its end."""
    return reason.casefold() in LENGTH | _FILTERS


def fails(reason: str) -> bool:
    """Whether the reason says that the answer failed or was broken off: nothing of it is to be run."""
    return reason.casefold() in _FAILURES
