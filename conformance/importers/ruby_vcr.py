"""Cassettes of VCR for Ruby, YAML and JSON: `http_interactions`, bodies as `string` with an encoding or as base64."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.importers import interaction
from conformance.importers.cassette import interactions
from conformance.importers.common import moment
from conformance.importers.interaction import completions
from conformance.model import Exchange


def is_document(document: Any) -> bool:
    """Whether a decoded document is a Ruby VCR cassette."""
    return isinstance(document, Mapping) and "http_interactions" in document


def exchanges(document: Mapping[str, Any], name: str) -> Iterator[Exchange]:
    """The chat-completion exchanges of a Ruby VCR cassette.

    Raises:
        CassetteCorrupt: it lacks interactions of a request and a response.
        InputError: it holds no such exchange, or (after those that can be read) some that cannot be read.
    """
    items = interactions(document["http_interactions"], name, "Ruby VCR")
    yield from completions(items, name, "cassette", _exchange)


def _exchange(item: Mapping[str, Any], where: str) -> Exchange:
    return interaction.exchange(item, where, moment(item.get("recorded_at")))
