"""Which header fields travel on, and which values in them must never be shown or written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import parse_qsl

from conformance.wire.redact import MIN_SECRET, is_private, is_private_parameter

Fields = tuple[tuple[bytes, bytes], ...]

_HOP: Final = frozenset(
    (b"connection", b"keep-alive", b"proxy-connection", b"te", b"trailer", b"transfer-encoding", b"upgrade")
)
"""RFC 9110 §7.6.1; `trailer` because trailers are not passed on."""
_OURS: Final = frozenset((b"host", b"expect"))
_PARTS: Final = re.compile(r"[\s;,]+")
_MOST: Final = 64


def to_provider(fields: Iterable[tuple[bytes, bytes]]) -> Fields:
    """The fields of a request that are for the provider; `Host` is rewritten, and `Expect` was answered here."""
    return tuple((name, value) for name, value in _end_to_end(fields) if name.lower() not in _OURS)


def to_client(fields: Iterable[tuple[bytes, bytes]]) -> Fields:
    """The fields of a response that are for the client.

    Beside a transfer coding a content length means nothing (RFC 9112 §6.3), and would mislead once the coding is gone.
    """
    fields = tuple(fields)
    coded = any(name.lower() == b"transfer-encoding" for name, _ in fields)
    return tuple(
        (name, value) for name, value in _end_to_end(fields) if not (coded and name.lower() == b"content-length")
    )


def _end_to_end(fields: Iterable[tuple[bytes, bytes]]) -> Iterator[tuple[bytes, bytes]]:
    fields = tuple(fields)
    named = {
        option.strip().lower()
        for name, value in fields
        if name.lower() == b"connection"
        for option in value.split(b",")
    }
    return ((name, value) for name, value in fields if name.lower() not in _HOP | named)


class Secrets:
    """The credentials that clients sent, so that they are recognised wherever they show up again. Never written."""

    def __init__(self) -> None:
        self._values: dict[str, None] = {}

    def learn(self, fields: Fields, query: bytes) -> tuple[str, ...]:
        """Add those of a request; returns all that are known, the newest 64 at least."""
        for value in sorted(set(_credentials(fields, query))):
            self._values.pop(value, None)
            self._values[value] = None
        while len(self._values) > _MOST:
            del self._values[next(iter(self._values))]
        return tuple(self._values)


def _credentials(fields: Fields, query: bytes) -> Iterator[str]:
    values = [value.decode("latin-1") for name, value in fields if is_private(name.decode("latin-1"))]
    values += [
        value for name, value in parse_qsl(query.decode("latin-1"), encoding="latin-1") if is_private_parameter(name)
    ]
    for value in values:
        for part in _PARTS.split(value):
            # `Bearer KEY`, `name=KEY; other=KEY`, and a key that ends in `=`
            yield from (text for text in (part, part.partition("=")[2]) if len(text) >= MIN_SECRET)
