"""HAR 1.2, as browsers, proxies and recorders (Playwright, Polly.js) write it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.errors import InputError
from conformance.importers.common import decoded, mapping, moment, request_of
from conformance.importers.interaction import completions, from_base64, headers_of, of_parts
from conformance.model import Exchange, Fidelity


def is_har(document: Any) -> bool:
    """Whether a JSON document is a HAR."""
    return isinstance(document, dict) and isinstance(mapping(document.get("log")).get("entries"), list)


def exchanges(document: Mapping[str, Any], name: str) -> Iterator[Exchange]:
    """The chat-completion exchanges of a HAR.

    Raises:
        InputError: there are none, or (after those that can be read) some without a response body.
    """
    yield from completions(document["log"]["entries"], name, "HAR", _exchange)


def _exchange(entry: Mapping[str, Any], where: str) -> Exchange:
    response = mapping(entry.get("response"))
    content = mapping(response.get("content"))
    body, coded = _body(content, where)
    size, status = content.get("size"), response.get("status")
    headers = headers_of(response.get("headers"))
    if not coded:
        headers.pop("content-encoding", None)
    return of_parts(
        where,
        body,
        status=status if isinstance(status, int) and status > 0 else None,
        headers=headers,
        request=request_of(mapping(mapping(entry.get("request")).get("postData")).get("text")),
        fidelity=Fidelity(whole=not (isinstance(size, int) and size > len(body))),
        recorded_at=moment(entry.get("startedDateTime")),
    )


def _body(content: Mapping[str, Any], where: str) -> tuple[bytes, bool]:
    """The body, and whether its content coding is still on it: a HAR keeps decoded text, except that of Polly.js.

    Polly.js keeps a compressed body as it came, as a JSON array of its pieces.
    """
    text = content.get("text")
    if not isinstance(text, str):
        raise InputError(f"{where}: the HAR did not keep the response body; export it 'with content'")
    if content.get("encoding") != "base64":
        return text.encode("utf-8", "surrogatepass"), False
    pieces = _pieces(text)
    return b"".join(from_base64(piece, where) for piece in pieces or [text]), pieces is not None


def _pieces(text: str) -> list[str] | None:
    try:
        pieces = decoded(text) if text.startswith("[") else None
    except ValueError:
        return None
    return pieces if isinstance(pieces, list) and all(isinstance(piece, str) for piece in pieces) else None
