"""Capture files (DESIGN §6.2): one recorded exchange as a JSON object, with what is known about how it was kept."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any, Final

from conformance.errors import InputError
from conformance.model import Exchange, Fidelity

_FIDELITY: Final[Mapping[str, Fidelity]] = {
    "raw": Fidelity(),
    "normalised-by-recorder": Fidelity(framing=False, text=False, ids=False),
    "parsed-reserialised": Fidelity(framing=False, text=False),
    "pretty-printed": Fidelity(framing=False, text=False),
    "client-model-reserialised": Fidelity(framing=False, text=False, presence=False),
    "sse-rebuilt-from-payload-lines": Fidelity(framing=False),
    "sse-from-trace-log": Fidelity(framing=False),
}
"""By `body_fidelity`: what the recorder kept."""


def is_capture(document: Any) -> bool:
    """Whether a JSON document is a capture."""
    return isinstance(document, dict) and ("response_body" in document or "response_body_base64" in document)


def exchange(document: Mapping[str, Any], name: str, position: int) -> Exchange:
    """The exchange of one capture.

    Raises:
        InputError: the body is missing or not what its field says.
    """
    where = f"{name}#{position}"
    text = document.get("response_body")
    if isinstance(text, str):
        body = text.encode("utf-8", "surrogatepass")
    else:
        try:
            body = base64.b64decode(document.get("response_body_base64") or "", validate=True)
        except (binascii.Error, TypeError, ValueError) as error:
            raise InputError(f"{where}: response_body_base64 is not base64; store the bytes again") from error
    headers = document.get("response_headers")
    kept = isinstance(headers, Mapping) and bool(headers)
    fidelity = _FIDELITY.get(str(document.get("body_fidelity") or "raw"), Fidelity(framing=False, text=False))
    request = document.get("request")
    asked = document.get("stream")
    if not isinstance(asked, bool) and isinstance(request, Mapping):
        asked = bool(request.get("stream"))
    status = document.get("status")
    return Exchange(
        source=where,
        body=body,
        status=status if isinstance(status, int) else None,
        headers={str(k).lower(): _text(v) for k, v in headers.items()} if isinstance(headers, Mapping) else {},
        request=request if isinstance(request, Mapping) else None,
        asked_mode=None if not isinstance(asked, bool) else "stream" if asked else "complete",
        provider=str(document.get("provider") or ""),
        model=str(document.get("model") or ""),
        fidelity=Fidelity(
            framing=fidelity.framing,
            presence=fidelity.presence,
            text=fidelity.text,
            whole=document.get("partial") is not True,
            ids=fidelity.ids,
            headers=kept,
        ),
        recorded_at=document.get("recorded_at") if isinstance(document.get("recorded_at"), str) else None,
    )


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return str(value)
