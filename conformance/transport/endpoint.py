"""Where requests go, with which credentials, and how long we wait."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

TIMEOUT: Final = 60.0
TOTAL: Final = 120.0
MAX_BYTES: Final = 8 << 20
"""Limits unless told otherwise; the answers that scenarios ask for have some ten thousand bytes."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One provider's address. Credentials stay out of its `repr`.

    Attributes:
        base_url: up to but not including `/chat/completions`.
        api_key: None if there is none; then no `Authorization` header is sent.
        headers, query: sent with every request.
        key_header: header that carries the key as it is; None = `Authorization: Bearer`.
        timeout: seconds without a byte before we give up.
        public_url: the base URL as cassettes name it, the same on every machine (variables not looked up); None = keep
            `base_url`, but for a private address.
        secrets: further values that must not reach the disk: what environment variables put into `base_url`, `headers`
            or `query`.
        connect: seconds until the connection stands.
        total: seconds for the whole exchange, at least `timeout`.
        max_bytes: of the response body, and of what it decodes to; what came before is kept.
    """

    base_url: str
    api_key: str | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    query: Mapping[str, str] = field(default_factory=dict, repr=False)
    key_header: str | None = None
    timeout: float = TIMEOUT
    public_url: str | None = None
    secrets: tuple[str, ...] = field(default=(), repr=False)
    connect: float = 10.0
    total: float = TOTAL
    max_bytes: int = MAX_BYTES


def absolute(base_url: str) -> str:
    """A base URL with a scheme.

    Where a variable holds the whole beginning of an address and is not looked up, its name stands there without one.
    """
    return base_url if "://" in base_url else f"https://{base_url}"
