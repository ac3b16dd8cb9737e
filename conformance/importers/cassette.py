"""vcrpy cassettes of all its versions, YAML and JSON: ours, verified, and those of other projects, as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from conformance.errors import CassetteCorrupt, InputError
from conformance.importers import interaction
from conformance.importers.interaction import completions
from conformance.model import Exchange

_OURS: Final = (b"x-conformance:", b"# sha256 of all lines above")


def is_ours(data: bytes) -> bool:
    """Whether a file is, or was, a cassette that `conformance` recorded."""
    return any(mark in data for mark in _OURS)


def is_document(document: Any) -> bool:
    """Whether a decoded document is a vcrpy cassette. Before vcrpy 1.0 it was a list of interactions."""
    return isinstance(document, Mapping) and "interactions" in document


def ours(data: bytes, name: str) -> Iterator[Exchange]:
    """The chat-completion exchanges of one of our own cassettes.

    Raises:
        CassetteCorrupt: the bytes are not those that were recorded, or no cassette can be read from them.
        InputError: it holds no such exchange.
    """
    from conformance.transport.cassettes import exchanges_of  # vcrpy takes its time; other formats do not need it

    found = exchanges_of(data, name)
    if not found:
        raise InputError(f"{name}: the cassette holds no POST to …/chat/completions; give one that does")
    yield from found


def exchanges(document: Any, name: str) -> Iterator[Exchange]:
    """The chat-completion exchanges of a cassette of another project.

    Raises:
        CassetteCorrupt: it lacks interactions of a request and a response.
        InputError: it holds no such exchange, or (after those that can be read) some that cannot be read.
    """
    items = document.get("interactions") if isinstance(document, Mapping) else document
    yield from completions(interactions(items, name, "vcrpy"), name, "cassette", interaction.exchange)


def interactions(items: Any, name: str, recorder: str) -> list[Mapping[str, Any]]:
    """The interactions of a cassette, which all have a request and a response.

    Raises:
        CassetteCorrupt: it is no list of them.
    """
    if isinstance(items, list) and all(map(is_interaction, items)):
        return items
    raise CassetteCorrupt(
        f"{name} is not a {recorder} cassette: it lacks a list of interactions with request and response; restore it,"
        " or record it again"
    )


def is_interaction(item: Any) -> bool:
    """Whether an item is a request with a response."""
    return isinstance(item, Mapping) and all(isinstance(item.get(key), Mapping) for key in ("request", "response"))
