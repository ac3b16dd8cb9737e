"""A response as it came in, before it gets labels."""

from __future__ import annotations

from dataclasses import dataclass

from conformance.model import End, Piece


@dataclass(frozen=True, slots=True)
class Received:
    """Status, headers and undecoded body of one response.

    Attributes:
        status, reason: of the status line; `reason` is empty in HTTP/2.
        headers: in order, names in lower case, repeated ones repeated.
        body: content encoding included.
        pieces: arrival of the body; sizes add up to `len(body)`.
        ended: how the body ended.
        recorded_at: when the request was sent (ISO 8601, UTC); None where unknown.
    """

    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    pieces: tuple[Piece, ...]
    ended: End
    recorded_at: str | None
