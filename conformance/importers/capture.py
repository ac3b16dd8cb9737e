"""Capture files (DESIGN §6.2): one recorded exchange as a JSON object, with what is known about how it was kept."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final, get_args

from conformance.errors import InputError
from conformance.importers.common import asked_mode, moment
from conformance.model import End, EndKind, Exchange, Fidelity, Mode, Origin, Piece

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


def exchange(document: Any, name: str, position: int) -> Exchange:
    """The exchange of one capture.

    Raises:
        InputError: it is no capture, or its body is not what its field says.
    """
    where = f"{name}#{position}"
    if not is_capture(document):
        raise InputError(f"{where}: not a capture; it needs 'response_body' or 'response_body_base64'")
    body = _body(document, where)
    headers = document.get("response_headers")
    kept = isinstance(headers, Mapping) and bool(headers)
    request = document.get("request")
    request = request if isinstance(request, Mapping) else None
    asked = document.get("stream")
    mode: Mode | None = "stream" if asked is True else "complete" if asked is False else asked_mode(request)
    status = document.get("status")
    return Exchange(
        source=where,
        body=body,
        status=status if isinstance(status, int) else None,
        headers={str(k).lower(): _text(v) for k, v in headers.items()} if isinstance(headers, Mapping) else {},
        request=request,
        asked_mode=mode,
        provider=str(document.get("provider") or ""),
        model=str(document.get("model") or ""),
        fidelity=_fidelity(document, kept),
        ended=_ended(document.get("ended")),
        pieces=_pieces(document.get("pieces"), len(body)),
        recorded_at=moment(document.get("recorded_at")),
        origin=_origin(document),
    )


def _fidelity(document: Mapping[str, Any], kept: bool) -> Fidelity:
    """What it can show: as `cannot_show` says where somebody measured it, else as `body_fidelity` implies."""
    stated = document.get("cannot_show")
    if isinstance(stated, list):
        return Fidelity(**{field.name: field.name not in stated for field in fields(Fidelity)})
    implied = _FIDELITY.get(str(document.get("body_fidelity") or "raw"), Fidelity(framing=False, text=False))
    return replace(implied, headers=kept)


def _ended(value: Any) -> End:
    if not isinstance(value, Mapping):
        return End()
    kinds: tuple[EndKind, ...] = get_args(EndKind)
    kind = value.get("kind")
    return End(next((known for known in kinds if known == kind), "end"), str(value.get("detail") or ""))


def _pieces(value: Any, length: int) -> tuple[Piece, ...]:
    """When the body arrived; nothing where that is not known of every byte."""
    try:
        pieces = tuple(Piece(float(at_ms), size) for at_ms, size in value)
        return pieces if sum(piece.size for piece in pieces) == length else ()
    except (TypeError, ValueError):
        return ()


def _origin(document: Mapping[str, Any]) -> Origin | None:
    source, recorded = document.get("source"), document.get("recorded")
    if not isinstance(source, Mapping):
        return None
    position = source.get("interaction")
    return Origin(
        repository=str(source.get("repo") or ""),
        path=str(source.get("path") or ""),
        commit=str(source.get("commit") or ""),
        interaction=position if isinstance(position, int) else None,
        licence=str(source.get("licence") or ""),
        recorded=recorded if isinstance(recorded, bool) else None,
    )


def _body(document: Mapping[str, Any], where: str) -> bytes:
    text, coded = document.get("response_body"), document.get("response_body_base64")
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    if text is not None or not isinstance(coded, str):
        field = "response_body" if text is not None or coded is None else "response_body_base64"
        raise InputError(f"{where}: {field} is no text; store the body exactly as it came, as text or base64")
    try:
        return base64.b64decode(coded, validate=True)
    except (binascii.Error, ValueError):
        raise InputError(f"{where}: response_body_base64 is not base64; store the bytes again") from None


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return str(value)
