"""What recorders of HTTP have in common: pairs of a request and a response, under names that differ little."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from conformance.errors import InputError
from conformance.importers.common import asked_mode, encoded, every, honest, mapping, moment, request_of, text_of
from conformance.model import Exchange, Fidelity

_CODE: Final = re.compile(r"\s*(\d{3})(?!\d)")
_NO_TRANSCODING: Final = frozenset(("", "utf-8", "us-ascii", "ascii-8bit", "binary"))

Item = Mapping[str, Any]


def asks(item: Item) -> bool:
    """Whether an interaction's request asks for a chat completion."""
    request = mapping(item.get("request"))
    url = next((text_of(request[key]) for key in ("uri", "url", "path") if request.get(key)), "")
    return is_completion(url, text_of(request.get("method")))


def is_completion(url: str, method: str = "") -> bool:
    """Whether a request asks for a chat completion; one whose method was not kept may."""
    path = re.split(r"[?#]", url, maxsplit=1)[0]
    return method.upper().lstrip(":") in ("POST", "") and path.rstrip("/").endswith("/chat/completions")


def completions(
    items: Iterable[Any],
    name: str,
    kind: str,
    read: Callable[[Item, str], Exchange],
    asks: Callable[[Item], bool] = asks,
) -> Iterator[Exchange]:
    """The chat-completion exchanges among recorded interactions; others (CORS preflights among them) are passed over.

    Args:
        items: the interactions as decoded.
        name: the file.
        kind: what the file is called in messages.
        read: makes an exchange of an interaction, given its source.
        asks: whether an interaction is one.

    Raises:
        InputError: there are none, or (after those that can be read) some that cannot be read.
    """
    found = [(position, item) for position, item in enumerate(items) if isinstance(item, Mapping) and asks(item)]
    if not found:
        raise InputError(f"{name}: the {kind} holds no POST to …/chat/completions; give one that does")
    yield from every(partial(read, item, f"{name}#{position}") for position, item in found)


def exchange(item: Item, where: str, recorded_at: str | None = None) -> Exchange:
    """The exchange of an interaction.

    Args:
        item: `request` and `response`, as decoded.
        where: its source.
        recorded_at: when, if the recorder kept it; else the response's `Date` tells.

    Raises:
        InputError: it has no response, or one whose body cannot be decoded.
    """
    response = item.get("response")
    if not isinstance(response, Mapping):
        raise InputError(f"{where}: the interaction has no response; record it again")
    held = next((response[key] for key in ("body", "content", "parsed_body") if response.get(key) is not None), None)
    body, exact = body_of(held, where)
    request = mapping(item.get("request"))
    sent = request.get("body") if request.get("body") is not None else request.get("parsed_body")
    return of_parts(
        where,
        body,
        status=status_of(response),
        headers=headers_of(response.get("headers")),
        request=request_of(body_of(sent, where)[0]),
        fidelity=Fidelity(text=exact),
        recorded_at=recorded_at,
    )


def of_parts(
    where: str,
    body: bytes,
    *,
    status: int | None,
    headers: Mapping[str, str],
    request: Mapping[str, Any] | None,
    fidelity: Fidelity,
    recorded_at: str | None = None,
) -> Exchange:
    """An exchange with what follows from its parts: asked mode, model, time, and which headers can be trusted."""
    return Exchange(
        source=where,
        body=body,
        status=status,
        headers=honest(headers, body),
        request=request,
        asked_mode=asked_mode(request),
        model=text_of((request or {}).get("model")),
        fidelity=replace(fidelity, headers=bool(headers)),
        recorded_at=recorded_at or moment(headers.get("date")),
    )


def status_of(response: Mapping[str, Any]) -> int | None:
    """The status code: a number, `200 OK`, or under `code`, in any of the fields that recorders use."""
    for key in ("code", "status_code", "statusCode", "status"):
        value = response.get(key)
        if isinstance(value, Mapping):
            value = value.get("code")
        found = _CODE.match(str(value)) if isinstance(value, int | str) and not isinstance(value, bool) else None
        if found is not None:
            return int(found[1])
    return None


def headers_of(fields: Any) -> dict[str, str]:
    """Headers by lower-case name: of a mapping (values alone or in lists), of pairs, of `name`/`value`, of lines."""
    found: dict[str, str] = {}
    for name, value in _fields(fields):
        key = name.strip().lower()
        if key and not key.startswith(":"):  # HTTP/2 keeps the status among them
            found[key] = f"{found[key]}, {value}" if key in found else value
    return found


def _fields(fields: Any) -> Iterator[tuple[str, str]]:
    if isinstance(fields, Mapping):
        for name, values in fields.items():
            for value in values if isinstance(values, list) else [values]:
                yield str(name), text_of(value)
    for field in fields if isinstance(fields, list) else ():
        if isinstance(field, Mapping):
            yield text_of(field.get("name")), text_of(field.get("value"))
        elif isinstance(field, list) and len(field) == 2:
            yield text_of(field[0]), text_of(field[1])
        elif isinstance(field, str):
            name, _, value = field.partition(":")
            yield name, value.strip()


def body_of(value: Any, where: str) -> tuple[bytes, bool]:
    """A recorded body as bytes, and whether they are what came (false: its JSON is written anew).

    Raises:
        InputError: it says that it is base64, and is not.
    """
    if value is None:
        return b"", True
    if isinstance(value, bytes):
        return value, True
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass"), True
    if isinstance(value, Mapping):
        for key in ("base64_string", "base64"):
            if isinstance(value.get(key), str):
                return from_base64(value[key], where), True
        if "string" in value:
            return _tagged(value["string"], text_of(value.get("encoding"))), True
    return encoded(value), False


def from_base64(text: str, where: str) -> bytes:
    """Decode base64 with line breaks in it.

    Raises:
        InputError: it is none.
    """
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise InputError(f"{where}: the body is not base64; record it again") from None


def _tagged(string: Any, encoding: str) -> bytes:
    """Ruby VCR writes text in UTF-8, whatever the encoding that it notes beside it; others only write UTF-8."""
    if not isinstance(string, str):
        return string if isinstance(string, bytes) else b""
    if encoding.lower() not in _NO_TRANSCODING:
        try:
            return string.encode(encoding)
        except (LookupError, ValueError):
            pass
    return string.encode("utf-8", "surrogatepass")
