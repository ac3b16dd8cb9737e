"""HAR 1.2, as browsers and proxies export it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from conformance.errors import InputError
from conformance.importers.common import asked_mode, decoded, every, mapping, moment
from conformance.model import Exchange, Fidelity


def is_har(document: Any) -> bool:
    """Whether a JSON document is a HAR."""
    return isinstance(document, dict) and isinstance(mapping(document.get("log")).get("entries"), list)


def exchanges(document: Mapping[str, Any], name: str) -> Iterator[Exchange]:
    """The chat-completion exchanges of a HAR; other entries (CORS preflights among them) are passed over.

    Raises:
        InputError: there are none, or (after those that can be read) some without a response body.
    """
    entries = [
        (position, entry)
        for position, entry in enumerate(document["log"]["entries"])
        if isinstance(entry, dict) and _is_completion(mapping(entry.get("request")))
    ]
    if not entries:
        raise InputError(f"{name}: the HAR holds no POST to …/chat/completions; export one that does")
    yield from every(partial(_exchange, entry, f"{name}#{position}") for position, entry in entries)


def _is_completion(request: Mapping[str, Any]) -> bool:
    return str(request.get("method", "POST")).upper() == "POST" and "/chat/completions" in str(request.get("url"))


def _exchange(entry: Mapping[str, Any], where: str) -> Exchange:
    response = mapping(entry.get("response"))
    content = mapping(response.get("content"))
    body = _body(content, where)
    size = content.get("size")
    fields = response.get("headers")
    headers = {
        str(h.get("name", "")).lower(): str(h.get("value", ""))
        for h in (fields if isinstance(fields, list) else ())
        if isinstance(h, dict)
    }
    headers.pop("content-encoding", None)  # a HAR keeps the decoded text
    request = _request(mapping(mapping(entry.get("request")).get("postData")).get("text"))
    status = response.get("status")
    started = entry.get("startedDateTime")
    return Exchange(
        source=where,
        body=body,
        status=status if isinstance(status, int) and status > 0 else None,
        headers=headers,
        request=request,
        asked_mode=asked_mode(request),
        model=str(request.get("model", "")) if request else "",
        fidelity=Fidelity(headers=bool(headers), whole=not (isinstance(size, int) and size > len(body))),
        recorded_at=moment(started),
    )


def _body(content: Mapping[str, Any], where: str) -> bytes:
    text = content.get("text")
    if not isinstance(text, str):
        raise InputError(f"{where}: the HAR did not keep the response body; export it 'with content'")
    if content.get("encoding") != "base64":
        return text.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise InputError(f"{where}: content.text is not base64; export the HAR again") from None


def _request(posted: Any) -> Mapping[str, Any] | None:
    if not isinstance(posted, str):
        return None
    try:
        parsed = decoded(posted)
    except ValueError:
        return None
    return parsed if isinstance(parsed, dict) else None
