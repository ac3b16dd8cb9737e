"""Answers that a client library or a gateway put together: what the model said is in them, how it came is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from conformance.importers.common import encoded
from conformance.model import End, Exchange, Fidelity, Mode

_OPENAI: Final = "openai"
_OPENAI_HOST: Final = "api.openai.com"
_REGULAR: Final = End()

FIDELITY: Final = Fidelity(framing=False, presence=False, text=False, whole=False, ids=False, headers=False, wire=False)
"""Nothing but what the model said."""


def exchange(
    where: str,
    answer: Any,
    request: Mapping[str, Any] | None,
    asked_mode: Mode | None,
    *,
    provider: str = "",
    model: str = "",
    status: int | None = None,
    ended: End = _REGULAR,
    recorded_at: str | None = None,
) -> Exchange:
    """The exchange of an assembled answer, as a complete answer; an answer that is not there has an empty body.

    Args:
        where: its source.
        answer: a `chat.completion` object.
        request: what was asked, as far as it is known.
        asked_mode, provider, model, status, ended, recorded_at: as in `Exchange`.
    """
    return Exchange(
        source=where,
        body=encoded(answer) if answer else b"",
        status=status,
        request=request,
        asked_mode=asked_mode,
        provider=provider,
        model=model,
        fidelity=FIDELITY,
        ended=ended,
        recorded_at=recorded_at,
    )


def provider_of(name: str, address: str) -> str:
    """The provider as a client names it; empty where it says `openai` for any address that speaks OpenAI's API."""
    name = name.strip().lower()
    return "" if name == _OPENAI and _OPENAI_HOST not in address else name
