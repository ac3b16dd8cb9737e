"""From a response to what a cassette holds, and back with everything verified."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from typing import Any, Final, get_args

from vcr.request import Request

from conformance.model import End, EndKind, Exchange, Mode, Piece
from conformance.transport.cassette_file import METADATA, Unreadable
from conformance.transport.received import Received

DISTRIBUTION: Final = "toolcall-conformance"


@dataclass(frozen=True, slots=True)
class Labels:
    """What an exchange belongs to."""

    provider: str
    model: str
    scenario: str
    mode: Mode


def to_vcr(received: Received, request: Request, labels: Labels) -> dict[str, Any]:
    """A response as vcrpy keeps it, with our own data under one more key, which vcrpy ignores."""
    fields: dict[str, list[str]] = {}
    for name, value in received.headers:
        fields.setdefault(name, []).append(value)
    return {
        "status": {"code": received.status, "message": received.reason},
        "headers": fields,
        METADATA: {
            "recorded_at": received.recorded_at,
            "version": version(),
            "provider": labels.provider,
            "model": labels.model,
            "scenario": labels.scenario,
            "end": {"kind": received.ended.kind, "detail": received.ended.detail},
            "request": _fingerprint(request.body or b""),
            "response": _fingerprint(received.body),
            "pieces": [[piece.at_ms, piece.size] for piece in received.pieces],
        },
        "body": {"string": received.body},
    }


def verify(request: Request, response: Mapping[str, Any]) -> None:
    """Check the shape of an interaction, and everything our own data says about it.

    Raises:
        Unreadable: it does not fit.
    """
    from_vcr(response)
    own = response.get(METADATA)
    if own is not None:
        _expect(own, "request", request.body or b"")
        _expect(own, "response", _body(response))


def from_vcr(response: Mapping[str, Any]) -> Received:
    """A recorded response, ours or of any vcrpy cassette.

    Raises:
        Unreadable: it lacks what every response has, or our own data is damaged.
    """
    body = _body(response)
    own = response.get(METADATA)
    pieces, ended, recorded_at = ((), End(), None) if own is None else _own(own, len(body))
    status = response.get("status")
    code = status.get("code") if isinstance(status, dict) else response.get("status_code")
    reason = status.get("message") if isinstance(status, dict) else None
    headers = response.get("headers")
    if type(code) is not int or not isinstance(headers, Mapping):
        raise Unreadable("holds a response without status code or headers")
    fields: list[tuple[str, str]] = []
    for name, values in headers.items():
        several = values if isinstance(values, list) else [values]
        fields += ((str(name).lower(), _text(value)) for value in several)
    return Received(code, reason or "", tuple(fields), body, pieces, ended, recorded_at)


def to_exchange(request: Request, response: Mapping[str, Any], source: str) -> Exchange:
    """A recorded interaction as an exchange."""
    received = from_vcr(response)
    own = response.get(METADATA) or {}
    sent = _json_object(request.body)
    asked: Mode | None = None if sent is None else "stream" if sent.get("stream") is True else "complete"
    model = own.get("model") or (sent or {}).get("model")
    return Exchange(
        source=source,
        body=received.body,
        status=received.status,
        headers=joined(received.headers),
        request=sent,
        asked_mode=asked,
        provider=own.get("provider") or "",
        model=model if isinstance(model, str) else "",
        scenario=own.get("scenario") or "",
        ended=received.ended,
        pieces=received.pieces,
        recorded_at=received.recorded_at,
    )


def joined(headers: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Header fields as a mapping; values of a repeated name are joined as RFC 9110 §5.3 does."""
    together: dict[str, str] = {}
    for name, value in headers:
        together[name] = f"{together[name]}, {value}" if name in together else value
    return together


@lru_cache(maxsize=1)
def version() -> str:
    """The harness's own version."""
    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return "unknown"


def _fingerprint(body: bytes) -> dict[str, Any]:
    return {"sha256": hashlib.sha256(body).hexdigest(), "length": len(body)}


def _expect(own: Mapping[str, Any], name: str, body: bytes) -> None:
    if own.get(name) != _fingerprint(body):
        raise Unreadable(f"was changed since it was recorded: the {name} body is not the one its checksum is of")


def _body(response: Mapping[str, Any]) -> bytes:
    holder = response.get("body")
    body = holder.get("string") if isinstance(holder, Mapping) else response.get("content")
    if body is None:
        return b""
    if isinstance(body, str):
        # An older vcrpy's form for httpx; newer ones come as bytes.
        return body.encode("utf-8", "surrogatepass")
    if not isinstance(body, bytes):
        raise Unreadable("holds a response whose body is neither text nor bytes")
    return body


def _own(own: Any, length: int) -> tuple[tuple[Piece, ...], End, str | None]:
    try:
        pieces = tuple(Piece(float(at_ms), size) for at_ms, size in own["pieces"])
        ended = End(own["end"]["kind"], own["end"]["detail"])
        recorded_at = own["recorded_at"]
    except (KeyError, TypeError, ValueError):
        raise Unreadable(f"lacks a part of {METADATA}") from None
    if ended.kind not in get_args(EndKind) or not isinstance(ended.detail, str):
        raise Unreadable(f"names no known end of a body under {METADATA}")
    if any(type(piece.size) is not int or piece.size < 0 for piece in pieces) or sum(p.size for p in pieces) != length:
        raise Unreadable(
            "was changed since it was recorded: the sizes of the body's pieces do not add up to its length"
        )
    return pieces, ended, recorded_at


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _json_object(body: Any) -> dict[str, Any] | None:
    try:
        value = json.loads(body)
    except (TypeError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
