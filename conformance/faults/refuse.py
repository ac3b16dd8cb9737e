"""The ways in which servers and gateways reject a request."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from conformance.faults.catalogue import Wire
from conformance.faults.honest import Answer

Says = Callable[[Answer], Answer | Wire]


def openai(message: str, param: str | None = None, status: int = 400) -> Says:
    """An error object, with the field in `param` if there is one."""
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": None}
    return _document({"error": error}, status)


def flat(message: str) -> Says:
    """The error is the document, as with Mistral and vLLM."""
    return _document({"object": "error", "message": message, "type": "BadRequestError", "param": None, "code": 400})


def located(message: str, *path: str | int) -> Says:
    """The path, and a piece of the request that stands there, as with FastAPI."""
    there = {"role": "tool", "content": "n", "parameters": {}}
    return _document({"detail": [{"type": "value_error", "loc": ["body", *path], "msg": message, "input": there}]}, 422)


def nested(message: str) -> Says:
    """The upstream's words are inside, as with OpenRouter."""
    raw = json.dumps({"object": "error", "message": message, "type": "invalid_request_error"})
    return _document({"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": raw}}})


def behind(message: str) -> Says:
    """The gateway's words are around the upstream's, as with LiteLLM."""
    text = f"litellm.BadRequestError: OpenAIException - {message}. Received Model Group=m\nAvailable Model Group=None"
    return _document({"error": {"message": text, "type": None, "param": None, "code": "400"}})


def text(words: str, status: int = 400) -> Says:
    """No JSON at all."""
    wire = Wire(words.encode(), status, {"content-type": "text/plain"})
    return lambda _: wire


def _document(body: Any, status: int = 400) -> Says:
    wire = Wire(json.dumps(body, ensure_ascii=False).encode(), status, {"content-type": "application/json"})
    return lambda _: wire
