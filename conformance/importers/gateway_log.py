"""Logs of gateways and of one's own code: `request` beside `response` or `chunks`, one exchange a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from conformance.errors import InputError
from conformance.importers import dumped
from conformance.importers.assembled import FIDELITY as ASSEMBLED
from conformance.importers.common import encoded, mapping, moment, request_of, text_of
from conformance.importers.interaction import asks, body_of, headers_of, of_parts, status_of
from conformance.model import Exchange, Fidelity
from conformance.wire.body import kind_of

_TIMES: Final = ("recorded_at", "timestamp", "created_at", "start_time", "startTime", "time")
_ADDRESS: Final = ("uri", "url", "path")
_ANSWER: Final = ("choices", "error")


def is_record(document: Any) -> bool:
    """Whether a decoded JSON value is a request with its answer."""
    if not isinstance(document, Mapping) or not ("response" in document or "chunks" in document):
        return False
    request = mapping(request_of(document.get("request")))
    return "messages" in request or "body" in request or any(key in request for key in _ADDRESS)


def exchange(document: Mapping[str, Any], where: str) -> Exchange | None:
    """The exchange of a log entry; None if its request went elsewhere than to …/chat/completions.

    The request is its body, or an object with `body` (and an address). So is the response: SSE or JSON as text, a
    decoded answer, an array of chunks, or an object with `body` (and status and headers).

    Raises:
        InputError: the answer is none of these.
    """
    sent = mapping(request_of(document.get("request")))
    if "messages" not in sent and any(key in sent for key in _ADDRESS) and not asks({"request": sent}):
        return None
    request = request_of(sent if "messages" in sent else body_of(sent.get("body"), where)[0])
    response = document.get("chunks") if "chunks" in document else document.get("response")
    http = mapping(response)
    if "body" in http and not any(key in http for key in _ANSWER):
        response = http["body"]
    else:
        http = {}
    body, fidelity = _answer(response, where)
    if (request or {}).get("stream") is True and isinstance(response, Mapping) and "choices" in response:
        fidelity = ASSEMBLED  # a server that ignored `stream` looks the same; nobody can tell
    labelled = of_parts(
        where,
        body,
        status=status_of(http),
        headers=headers_of(http.get("headers")),
        request=request,
        fidelity=fidelity,
        recorded_at=next((found for key in _TIMES if (found := moment(document.get(key))) is not None), None),
    )
    model = text_of(document.get("model")) or labelled.model
    return replace(labelled, provider=text_of(document.get("provider")), model=model)


def _answer(response: Any, where: str) -> tuple[bytes, Fidelity]:
    made = dumped.is_dump(response if isinstance(response, list) else [response])
    fidelity = Fidelity(framing=False, text=False, presence=not made)
    if isinstance(response, list):
        return _stream([dumped.without_nulls(chunk) for chunk in response] if made else response, where), fidelity
    if isinstance(response, Mapping) and any(key in response for key in _ANSWER):
        return encoded(dumped.without_nulls(response) if made else response), fidelity
    body, exact = body_of(response, where)
    if kind_of(body) not in ("sse", "json") or not exact:
        raise InputError(
            f"{where}: the response is no answer; log it as it came, decoded, or as an array of its chunks"
        )
    return body, Fidelity()


def _stream(chunks: Sequence[Any], where: str) -> bytes:
    """Chunks as a stream again: decoded ones, the JSON of each, or pieces of the SSE text."""
    if any(isinstance(chunk, str) and chunk.lstrip().startswith("data:") for chunk in chunks):
        return "".join(chunk for chunk in chunks if isinstance(chunk, str)).encode("utf-8", "surrogatepass")
    if not chunks:
        raise InputError(f"{where}: no chunk in it; log the chunks as they came")
    texts = [c.encode("utf-8", "surrogatepass") if isinstance(c, str) else encoded(c) for c in chunks]
    return b"".join(b"data: " + b" ".join(text.splitlines()) + b"\n\n" for text in texts)
