"""vcrpy cassettes, YAML and JSON; ours and other projects'."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.errors import InputError
from conformance.model import Exchange
from conformance.transport.cassettes import exchanges_of


def is_cassette(text: bytes) -> bool:
    """Whether a text looks like a vcrpy cassette in YAML."""
    head = text[:20000]
    return head.startswith((b"interactions:", b"version:", b"---")) and b"interactions:" in head


def is_document(document: Any) -> bool:
    """Whether a JSON document is a vcrpy cassette."""
    return isinstance(document, dict) and isinstance(document.get("interactions"), list)


def exchanges(data: bytes, name: str) -> Iterator[Exchange]:
    """The chat-completion exchanges of a cassette.

    Raises:
        CassetteCorrupt: the bytes are not those that were recorded, or no cassette can be read from them.
        InputError: it holds no such exchange.
    """
    found = exchanges_of(data, name)
    if not found:
        raise InputError(f"{name}: the cassette holds no request to …/chat/completions; give one that does")
    yield from found
