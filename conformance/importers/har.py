"""HAR 1.2, as browsers and proxies export it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from conformance.errors import InputError
from conformance.model import Exchange, Fidelity


def is_har(document: Any) -> bool:
    """Whether a JSON document is a HAR."""
    return isinstance(document, dict) and isinstance(document.get("log"), dict) and "entries" in document["log"]


def exchanges(document: Mapping[str, Any], name: str) -> Iterator[Exchange]:
    """The chat-completion exchanges of a HAR; other entries are passed over.

    Raises:
        InputError: there are none.
    """
    found = False
    for position, entry in enumerate(document["log"]["entries"]):
        if not isinstance(entry, dict) or "/chat/completions" not in str(entry.get("request", {}).get("url", "")):
            continue
        found = True
        yield _exchange(entry, f"{name}#{position}")
    if not found:
        raise InputError(f"{name}: the HAR holds no request to …/chat/completions; export one that does")


def _exchange(entry: Mapping[str, Any], where: str) -> Exchange:
    response = entry.get("response") or {}
    content = response.get("content") or {}
    text = content.get("text") or ""
    if content.get("encoding") == "base64":
        try:
            body = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError) as error:
            raise InputError(f"{where}: content.text is not base64; export the HAR again") from error
    else:
        body = text.encode("utf-8", "surrogatepass")
    headers = {str(h.get("name", "")).lower(): str(h.get("value", "")) for h in response.get("headers") or ()}
    headers.pop("content-encoding", None)  # a HAR keeps the decoded text
    request = None
    posted = (entry.get("request", {}).get("postData") or {}).get("text")
    if isinstance(posted, str):
        try:
            parsed = orjson.loads(posted)
            request = parsed if isinstance(parsed, dict) else None
        except orjson.JSONDecodeError:
            request = None
    return Exchange(
        source=where,
        body=body,
        status=response.get("status") if isinstance(response.get("status"), int) else None,
        headers=headers,
        request=request,
        asked_mode=None if request is None else "stream" if request.get("stream") else "complete",
        model=str(request.get("model", "")) if request else "",
        fidelity=Fidelity(headers=bool(headers)),
        recorded_at=entry.get("startedDateTime") if isinstance(entry.get("startedDateTime"), str) else None,
    )
