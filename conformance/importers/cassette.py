"""vcrpy cassettes, YAML and JSON; ours and other projects'."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from conformance.errors import InputError
from conformance.importers.common import honest
from conformance.model import Exchange

_LIST: Final = re.compile(rb"^interactions:", re.MULTILINE)


def is_cassette(text: bytes) -> bool:
    """Whether a text looks like a vcrpy cassette in YAML."""
    return _LIST.search(text[:4096]) is not None


def is_document(document: Any) -> bool:
    """Whether a JSON document is a vcrpy cassette."""
    return isinstance(document, dict) and isinstance(document.get("interactions"), list)


def exchanges(data: bytes, name: str) -> Iterator[Exchange]:
    """The chat-completion exchanges of a cassette.

    Raises:
        CassetteCorrupt: the bytes are not those that were recorded, or no cassette can be read from them.
        InputError: it holds no such exchange.
    """
    from conformance.transport.cassettes import exchanges_of  # vcrpy takes its time; other formats do not need it

    found = exchanges_of(data, name)
    if not found:
        raise InputError(f"{name}: the cassette holds no request to …/chat/completions; give one that does")
    for exchange in found:
        # Ours keep what came; other recorders may have undone the content coding and kept its header.
        yield exchange if exchange.pieces else replace(exchange, headers=honest(exchange.headers, exchange.body))
