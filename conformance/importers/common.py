"""What several formats need: lenient JSON, the asked mode, and problems that do not lose their neighbours."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
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


def moment(value: Any) -> str | None:
    """A time as recorders write it (ISO 8601, or an HTTP `Date`) as ISO 8601; None if it is neither."""
    if not isinstance(value, str):
        return None
    with contextlib.suppress(ValueError):
        datetime.fromisoformat(value)
        return value
    try:
        return parsedate_to_datetime(value).isoformat()
    except ValueError:
        return None


def honest(headers: Mapping[str, str], body: bytes) -> dict[str, str]:
    """Headers of a source that keeps the decoded body beside the headers of the encoded one.

    Such a source cannot show a false `content-encoding`, so it is dropped where the body is plain.
    """
    plain = "content-encoding" in headers and kind_of(body) in ("sse", "json", "empty")
    return {name: value for name, value in headers.items() if not (plain and name == "content-encoding")}


def every(readers: Iterable[Callable[[], Exchange]]) -> Iterator[Exchange]:
    """Yield what can be read, and tell at the end what cannot.

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
            yield exchange
    if problems:
        raise InputError("\n".join(problems))
