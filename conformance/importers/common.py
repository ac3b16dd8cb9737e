"""What several formats need: lenient JSON, the asked mode, and problems that do not lose their neighbours."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import orjson

from conformance.errors import InputError
from conformance.model import Exchange, Mode
from conformance.wire.body import kind_of


def decoded(text: bytes | str) -> Any:
    """Decode JSON; what the fast decoder refuses (halves of surrogate pairs, NaN) the standard library reads.

    Raises:
        ValueError: it is not JSON either way, or nested too deeply.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def encoded(value: Any) -> bytes:
    """JSON of a decoded value, also of one that only the standard library can write."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value).encode("ascii")


def mapping(value: Any) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def asked_mode(request: Mapping[str, Any] | None) -> Mode | None:
    """What a request body asks for; None if there is no body."""
    if request is None:
        return None
    return "stream" if request.get("stream") is True else "complete"


def request_of(value: Any) -> Mapping[str, Any] | None:
    """A request body: an object, or the JSON of one; None if it is neither."""
    if isinstance(value, str | bytes):
        try:
            value = decoded(value)
        except ValueError:
            return None
    return value if isinstance(value, Mapping) else None


def text_of(value: Any) -> str:
    """The value if it is text (or bytes, or a number, as text), else an empty one."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def moment(value: Any) -> str | None:
    """A time as recorders write it as ISO 8601: that, an HTTP `Date`, or seconds or milliseconds since 1970.

    None if it is nothing of the kind.
    """
    if isinstance(value, int | float) and not isinstance(value, bool) and 1e9 <= value < 1e14:
        return datetime.fromtimestamp(value / 1000 if value >= 1e11 else value, UTC).isoformat()
    if not isinstance(value, str):
        return None
    with contextlib.suppress(ValueError):
        datetime.fromisoformat(value)
        return value
    with contextlib.suppress(ValueError, OverflowError):
        return parsedate_to_datetime(value).isoformat()
    return None


def honest(headers: Mapping[str, str], body: bytes) -> dict[str, str]:
    """Headers of a source that keeps the decoded body beside the headers of the encoded one.

    Such a source cannot show a false `content-encoding`, so it is dropped where the body is plain.
    """
    plain = "content-encoding" in headers and kind_of(body) in ("sse", "json", "empty")
    return {name: value for name, value in headers.items() if not (plain and name == "content-encoding")}


def every(readers: Iterable[Callable[[], Exchange | None]]) -> Iterator[Exchange]:
    """Yield what can be read and is an exchange, and tell at the end what cannot be read.

    Raises:
        InputError: after the last exchange, one line for each that could not be read.
    """
    problems: list[str] = []
    for reader in readers:
        try:
            exchange = reader()
        except InputError as problem:
            problems.append(str(problem))
        else:
            if exchange is not None:
                yield exchange
    if problems:
        raise InputError("\n".join(problems))
