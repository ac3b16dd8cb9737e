"""LiteLLM's logs: its standard logging payloads and spend logs, one request with its assembled answer each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from conformance.importers import assembled
from conformance.importers.common import asked_mode, mapping, moment, text_of
from conformance.model import Exchange

_CALLS: Final = frozenset(("completion", "acompletion"))


def is_record(document: Any) -> bool:
    """Whether a decoded JSON value is a log entry of LiteLLM's, of a chat or of anything else."""
    return isinstance(document, Mapping) and all(key in document for key in ("call_type", "messages", "response"))


def exchange(document: Mapping[str, Any], where: str) -> Exchange | None:
    """The exchange of a log entry; None if it is about something else than a chat completion.

    The answer went through LiteLLM's own types, a streamed one through its assembling as well. An entry of a failed
    request keeps no answer; its history can be judged.
    """
    if text_of(document.get("call_type")) not in _CALLS:
        return None
    messages, parameters = document.get("messages"), mapping(document.get("model_parameters"))
    request = {
        **parameters,
        **({"stream": True} if document.get("stream") is True else {}),
        "model": document.get("model"),
        "messages": messages if isinstance(messages, list) else [],
    }
    answer = document.get("response")
    code = mapping(document.get("error_information")).get("error_code")
    started = document.get("startTime")
    return assembled.exchange(
        where,
        answer if isinstance(answer, Mapping) and "choices" in answer else None,
        request,
        asked_mode(request),
        provider=assembled.provider_of(text_of(document.get("custom_llm_provider")), text_of(document.get("api_base"))),
        model=text_of(document.get("model")),
        status=int(code) if isinstance(code, str) and code.isdecimal() and len(code) == 3 else None,
        recorded_at=moment(started),
    )
