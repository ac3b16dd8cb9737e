"""What of a copy may be judged, shown and kept: what `inspect --redact` would leave of it.

The endpoint's redactor knows credentials by value. A client's own traffic holds more than that: who asks, for whom,
addresses, keys pasted into a prompt. So both bodies first go through what makes a support bundle.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from conformance.model import Piece
from conformance.providers.secrets import is_random
from conformance.support import known
from conformance.support import request as requests
from conformance.support.body import Body
from conformance.support.secrets import Secrets
from conformance.tap.headers import Fields
from conformance.tap.passed import Passed
from conformance.transport.interaction import joined
from conformance.transport.received import Received
from conformance.wire.body import MAX_DECODED, decode_body
from conformance.wire.facts import Fact, Marks
from conformance.wire.redact import Redactor

_CONVERSATION: Final = frozenset(
    ("model", "messages", "tools", "functions", "tool_choice", "function_call", "response_format", "prediction", "stop")
)
"""Fields of a request in which random text is no credential: ids of calls, signatures, hashes in a prompt."""


def private(passed: Passed, received: Received, redactor: Redactor) -> tuple[bytes, Fields, Received]:
    """An exchange without what `inspect --redact` takes out.

    Args:
        passed: as it passed.
        received: its response.
        redactor: knows the endpoint's secrets and address.

    Returns:
        The body and the header fields of the request, and the response; every length kept. A compressed body that had
        to be changed stands decoded, as one piece that came with the last.
    """
    asked = document(passed.body)
    headers = joined(received.headers)
    marks = Marks()
    decoded = decode_body(received.body, headers, marks)
    body = Body(decoded if len(decoded) <= MAX_DECODED else b"")
    secrets = _secrets(passed, asked, headers, body)
    fields = tuple((name, _field(value, secrets)) for name, value in passed.fields)
    answer = replace(received, headers=tuple((name, secrets.masked(value)) for name, value in received.headers))
    data, changed = body.redacted(secrets)
    if decoded == received.body:
        answer = replace(answer, body=data)
    elif changed or redactor.said(data) != data:
        answer = _decoded(answer, redactor.said(data), undeclared=Fact.ENCODING_UNDECLARED in marks)
    return requests.redacted_bytes(passed.body, secrets), fields, answer


def document(body: bytes) -> dict[str, Any]:
    """A request body as decoded; empty where it is no JSON object."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _secrets(passed: Passed, asked: Mapping[str, Any], headers: Mapping[str, str], body: Body) -> Secrets:
    named = (*passed.secrets, *known.of_environment(), *known.of_headers(headers))
    told = (*requests.private(asked), *_custom(asked), *body.private())
    texts = (*requests.keys(asked), *(text for _, text in requests.texts(asked)), *headers.values(), *body.texts())
    return Secrets((*named, *told), texts)


def _custom(asked: Mapping[str, Any]) -> Iterator[str]:
    """Random values in fields outside the conversation: a gateway's way to take a key."""
    for path, text in requests.texts(asked):
        if path[0] not in _CONVERSATION and is_random(text):
            yield text


def _field(value: bytes, secrets: Secrets) -> bytes:
    return secrets.masked(value.decode("latin-1")).encode("latin-1", "replace")


def _decoded(answer: Received, data: bytes, *, undeclared: bool) -> Received:
    gone = ["content-length"]
    if undeclared:
        # that it came compressed without a word is what a check looks for
        data = gzip.compress(data, mtime=0)
    else:
        gone.append("content-encoding")
    pieces = (Piece(answer.pieces[-1].at_ms, len(data)),)
    return replace(answer, body=data, headers=_without(answer, gone), pieces=pieces)


def _without(answer: Received, names: Collection[str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in answer.headers if name not in names)
