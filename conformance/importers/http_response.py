"""A raw HTTP response, as `curl -i` prints it: status line, headers, blank line, body."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from conformance.errors import InputError
from conformance.model import Exchange

_STATUS: Final = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})[^\r\n]*\r?\n")
_HEAD_END: Final = re.compile(rb"\r?\n\r?\n")


def is_response(text: bytes) -> bool:
    """Whether the text begins with an HTTP status line."""
    return _STATUS.match(text) is not None


def exchanges(text: bytes, name: str, request: Mapping[str, Any] | None) -> Iterator[Exchange]:
    """The exchange of the last response head; 1xx answers and redirects before it are passed over.

    Raises:
        InputError: the head never ends.
    """
    status = 200
    headers: dict[str, str] = {}
    rest = text
    while (match := _STATUS.match(rest)) is not None:
        status = int(match.group(1))
        end = _HEAD_END.search(rest)
        if end is None:
            raise InputError(f"{name}: the response head has no end; save the whole output of curl -i")
        headers = {}
        for line in rest[match.end() : end.start()].splitlines():
            key, _, value = line.decode("latin-1").partition(":")
            headers[key.strip().lower()] = value.strip()
        rest = rest[end.end() :]
    asked = None if request is None else "stream" if request.get("stream") else "complete"
    yield Exchange(
        source=f"{name}#0",
        body=rest,
        status=status,
        headers=headers,
        request=request,
        asked_mode=asked,  # type: ignore[arg-type]
    )
