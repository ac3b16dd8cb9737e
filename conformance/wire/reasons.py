"""What the end of an answer says about its calls, in OpenAI's words or others. Standard library only.

OpenAI cuts an answer by `length` and `content_filter`, and has no word for one that failed. The other words are those
of servers and of the APIs behind gateways: DeepSeek, Google, Mistral, OpenRouter, SGLang, vLLM, Zhipu.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

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


def tokens_left(request: Mapping[str, Any], usage: Mapping[str, Any] | None) -> int | None:
    """How many tokens of the request's limit the answer left unused; None where either number is unknown.

    Below zero where a server counts what its limit does not cover, such as reasoning.
    """
    used = _count((usage or {}).get("completion_tokens"))
    limits = [n for key in ("max_tokens", "max_completion_tokens") if (n := _count(request.get(key))) is not None]
    return None if used is None or not limits else min(limits) - used


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
