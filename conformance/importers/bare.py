"""JSON without anything around it: whether it is an answer (or was one, before it was cut), or something else."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from conformance.errors import InputError
from conformance.importers.formats import NoExchange

_ANSWERS: Final = ("chat.completion", "text_completion", "error")
"""How `object` begins in answers."""
_FAILURE: Final = frozenset(("message", "detail", "msg"))
_OF_FAILURES: Final = _FAILURE | {
    *("code", "details", "documentation_url", "instance", "loc", "object", "param", "path", "reason", "request_id"),
    *("requestId", "status", "statusCode", "status_code", "success", "timestamp", "title", "trace_id", "type"),
}
"""Fields of error bodies; `message` among others is a log's."""
_FIRST: Final = frozenset(
    ("id", "object", "created", "model", "choices", "provider", "service_tier", "system_fingerprint")
)
"""Fields with which answers begin."""
_CONTAINERS: Final[Mapping[str, str]] = {
    "log": "a HAR",
    "interactions": "a cassette",
    "http_interactions": "a cassette",
    "response_body": "a capture",
    "response_body_base64": "a capture",
    "resourceSpans": "telemetry",
    "resourceLogs": "telemetry",
    "attributes": "telemetry",
    "call_type": "an entry of a log",
    "response": "an entry of a log",
    "chunks": "an entry of a log",
    "request": "a capture or an entry of a log",
    "messages": "a request body",
}
"""Fields that no answer has, and what has them."""
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_CUT: Final = True
"""Stands for a value that does not decode."""


def check(text: bytes, document: Any, name: str) -> None:
    """Make sure that a JSON document is an answer, or may be one that lacks something.

    Args:
        text: its text.
        document: the same, decoded; None if it does not decode, because it is cut or damaged.
        name: the file.

    Raises:
        InputError: it is something else.
    """
    if document is not None:
        if not is_answer(document):
            raise NoExchange(name)
        return
    begun = _begun(text)
    what = next((what for field, what in _CONTAINERS.items() if field in begun), "")
    if what or text.startswith(b"["):
        why = f"begins like {what or 'an array'}, but is cut, damaged or nested too deeply"
        raise InputError(f"{name}: {why}; save or export it again")
    if not is_answer(begun) and not (begun and next(iter(begun)) == "id" and _FIRST.issuperset(begun)):
        raise NoExchange(name)


def is_answer(document: Any) -> bool:
    """Whether a decoded JSON value has a mark of a completion, a chunk or an error body."""
    if not isinstance(document, Mapping):
        return False
    kind = document.get("object")
    return (
        "choices" in document
        or bool(document.get("error") or document.get("errors"))
        or "usage" in document
        or (isinstance(kind, str) and kind.startswith(_ANSWERS))
        or all(field in document for field in ("id", "object", "created"))
        or (not _FAILURE.isdisjoint(document) and _OF_FAILURES.issuperset(document))
    )


def _begun(text: bytes) -> dict[str, Any]:
    """The fields of a JSON object up to where it does not decode."""
    decoder = json.JSONDecoder(strict=False)
    fields: dict[str, Any] = {}
    whole = text.decode("utf-8", "replace")
    at = 0
    try:
        while at < len(whole) and whole[at] in "{,":
            field, at = decoder.raw_decode(whole, _past_space(whole, at + 1))
            at = _past_space(whole, at)
            if not isinstance(field, str) or whole[at : at + 1] != ":":
                break
            fields[field] = _CUT
            fields[field], at = decoder.raw_decode(whole, _past_space(whole, at + 1))
            at = _past_space(whole, at)
    except (ValueError, RecursionError):
        pass
    return fields


def _past_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()
