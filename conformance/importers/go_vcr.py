"""Cassettes of go-vcr: like vcrpy's a list of `interactions`, but `url` for `uri`, and text for a body."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.importers import interaction
from conformance.importers.cassette import interactions
from conformance.importers.interaction import completions
from conformance.model import Exchange


def is_document(document: Any) -> bool:
    """Whether a decoded document is a go-vcr cassette (file versions 1 and 2, go-vcr 1 to 4)."""
    items = document.get("interactions") if isinstance(document, Mapping) else None
    first = items[0] if isinstance(items, list) and items else None
    request = first.get("request") if isinstance(first, Mapping) else None
    return isinstance(request, Mapping) and "url" in request and "uri" not in request


def exchanges(document: Mapping[str, Any], name: str) -> Iterator[Exchange]:
    """The chat-completion exchanges of a go-vcr cassette.

    Raises:
        CassetteCorrupt: it lacks interactions of a request and a response.
        InputError: it holds no such exchange, or (after those that can be read) some that cannot be read.
    """
    items = interactions(document["interactions"], name, "go-vcr")
    yield from completions(items, name, "cassette", interaction.exchange)
