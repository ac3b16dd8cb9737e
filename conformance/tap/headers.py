"""Which header fields travel on, and which values in them must never be shown or written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import parse_qsl

from conformance.providers.secrets import is_random
from conformance.wire.redact import MIN_SECRET, is_private, is_private_parameter

Fields = tuple[tuple[bytes, bytes], ...]

_HOP: Final = frozenset(
    (b"connection", b"keep-alive", b"proxy-connection", b"te", b"trailer", b"transfer-encoding", b"upgrade")
)
"""RFC 9110 §7.6.1; `trailer` because trailers are not passed on."""
_OURS: Final = frozenset((b"host", b"expect"))
_PARTS: Final = re.compile(r"[\s;,]+")
_MOST: Final = 64
_PLAIN: Final = re.compile(
    r"accept|accept-.*|content-.*|user-agent|x-stainless-.*|openai-beta|anthropic-(?:beta|version)|referer|http-referer"
    r"|origin|x-title|traceparent|tracestate|baggage|date|via|if-.*|sec-.*"
)
"""Fields that hold no credential, whatever their values look like."""


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
        """Add those of a request.

        Returns:
            All that are known, the newest 64 at least, and for this request alone what its fields of other names hold
            that looks like a key: a trace id does as well, and would push the keys out.
        """
        for value in sorted(set(_credentials(fields, query))):
            self._values.pop(value, None)
            self._values[value] = None
        while len(self._values) > _MOST:
            del self._values[next(iter(self._values))]
        return tuple(dict.fromkeys((*self._values, *_custom(fields, query))))


def _credentials(fields: Fields, query: bytes) -> Iterator[str]:
    values = [value for name, value in _fields(fields) if is_private(name)]
    values += [value for name, value in _parameters(query) if is_private_parameter(name)]
    return _parts(values)


def _custom(fields: Fields, query: bytes) -> Iterator[str]:
    values = [value for name, value in _fields(fields) if not _PLAIN.fullmatch(name)]
    values += [value for _, value in _parameters(query)]
    return filter(is_random, _parts(values))


def _fields(fields: Fields) -> Iterator[tuple[str, str]]:
    return ((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in fields)


def _parameters(query: bytes) -> list[tuple[str, str]]:
    return parse_qsl(query.decode("latin-1"), encoding="latin-1")


def _parts(values: Iterable[str]) -> Iterator[str]:
    for value in values:
        for part in _PARTS.split(value):
            # `Bearer KEY`, `name=KEY; other=KEY`, and a key that ends in `=`
            yield from (text for text in (part, part.partition("=")[2]) if len(text) >= MIN_SECRET)
