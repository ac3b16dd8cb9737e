"""Recordings of nock (`nock.recorder` with `output_objects`): an array of answers, JSON bodies already decoded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.errors import InputError
from conformance.importers.common import encoded, request_of, text_of
from conformance.importers.interaction import completions, headers_of, is_completion, of_parts, status_of
from conformance.model import Exchange, Fidelity


def is_document(document: Any) -> bool:
    """Whether a decoded document is a nock recording."""
    return isinstance(document, list) and bool(document) and all(map(_is_recorded, document))


def exchanges(document: Sequence[Mapping[str, Any]], name: str) -> Iterator[Exchange]:
    """The chat-completion exchanges of a nock recording.

    Raises:
        InputError: there are none, or (after those that can be read) some whose body cannot be read.
    """
    yield from completions(document, name, "nock recording", _exchange, _asks)


def _asks(item: Mapping[str, Any]) -> bool:
    return is_completion(text_of(item.get("path")), text_of(item.get("method")))


def _is_recorded(item: Any) -> bool:
    return isinstance(item, Mapping) and "scope" in item and "path" in item and "response" in item


def _exchange(item: Mapping[str, Any], where: str) -> Exchange:
    body, exact = _body(item.get("response"), item.get("responseIsBinary") is True, where)
    return of_parts(
        where,
        body,
        status=status_of(item),
        headers=headers_of(_pairs(item.get("rawHeaders", item.get("headers")))),
        request=request_of(item.get("body")),
        fidelity=Fidelity(text=exact),
    )


def _body(response: Any, binary: bool, where: str) -> tuple[bytes, bool]:
    """Text as it is; hexadecimal for binary answers, in pieces for compressed ones; anything else is decoded JSON."""
    pieces = response if isinstance(response, list) else [response]
    coded = binary or isinstance(response, list)
    if coded and all(isinstance(piece, str) for piece in pieces):
        try:
            return bytes.fromhex("".join(pieces)), True
        except ValueError:
            raise InputError(f"{where}: the response is not hexadecimal; record it again") from None
    if isinstance(response, str):
        return response.encode("utf-8", "surrogatepass"), True
    return encoded(response), False


def _pairs(fields: Any) -> Any:
    """Older versions keep names and values in one list, in turn."""
    if isinstance(fields, list) and all(isinstance(field, str) for field in fields):
        return [list(pair) for pair in zip(fields[::2], fields[1::2], strict=False)]
    return fields
