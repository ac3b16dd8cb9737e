"""Decoded JSON and YAML documents: what each is, told by its shape, and several that stand one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Final

from conformance.errors import InputError
from conformance.importers import cassette, go_vcr, har, json_lines, nock, otel, per_line, ruby_vcr
from conformance.importers import request as request_body
from conformance.importers.common import mapping
from conformance.importers.formats import NoExchange
from conformance.model import Exchange

_LISTS: Final = ("interactions", "http_interactions")


def of_json(document: Any, name: str) -> Iterator[Exchange] | None:
    """The exchanges of a JSON document; None if it is a body, or nothing known."""
    if isinstance(document, list):
        if nock.is_document(document):
            return nock.exchanges(document, name)
        return json_lines.of_array(document, name) if json_lines.is_array(document) else None
    if har.is_har(document):
        return har.exchanges(document, name)
    if ruby_vcr.is_document(document) or cassette.is_document(document):
        return recorded(document, name)
    if otel.is_record(document):
        return otel.exchanges([document], name)
    if per_line.is_record(document):
        return json_lines.of_array([document], name)
    if request_body.is_request(document):
        return iter([request_body.exchange(document, name)])
    return None


def recorded(document: Any, name: str) -> Iterator[Exchange]:
    """The exchanges of a cassette, by its shape: YAML and JSON of each recorder hold the same."""
    if ruby_vcr.is_document(document):
        return ruby_vcr.exchanges(document, name)
    if go_vcr.is_document(document):
        return go_vcr.exchanges(document, name)
    return cassette.exchanges(document, name)


def of_several(documents: Sequence[Any], name: str) -> Iterator[Exchange]:
    """The exchanges of JSON documents that stand one after another, numbered as if they were one.

    Raises:
        NoExchange: none of them is anything known.
        InputError: some are not, or they do not go together.
    """
    joined = documents[0] if len(documents) == 1 else _joined(documents)
    found = None if joined is None else of_json(joined, name)
    if found is not None:
        return found
    if any(map(otel.is_record, documents)):
        return otel.exchanges(documents, name)
    if all(map(json_lines.is_known, documents)):
        return json_lines.of_array(documents, name)
    if any(map(json_lines.is_known, documents)):
        raise InputError(f"{name}: JSON documents of different kinds one after another; give each a file of its own")
    raise NoExchange(name)


def of_cassettes(documents: Sequence[Any], name: str) -> Iterator[Exchange]:
    """The exchanges of cassettes that stand one after another in a file, numbered as if they were one.

    Raises:
        InputError: they are not all of one kind.
    """
    joined = documents[0] if len(documents) == 1 else _joined(documents)
    if joined is None:
        raise InputError(f"{name}: YAML documents of different kinds one after another; give each a file of its own")
    return recorded(joined, name)


def _joined(documents: Sequence[Any]) -> Any:
    """One document that holds what all of them hold; None if they are not all HARs, cassettes of a kind, or lists."""
    if all(isinstance(document, list) for document in documents):
        return list(chain.from_iterable(documents))
    if all(map(har.is_har, documents)):
        return {"log": {"entries": list(chain.from_iterable(document["log"]["entries"] for document in documents))}}
    for key in _LISTS:
        held = [mapping(document).get(key) for document in documents]
        if all(isinstance(items, list) for items in held):
            return {key: list(chain.from_iterable(items for items in held if isinstance(items, list)))}
    return None
