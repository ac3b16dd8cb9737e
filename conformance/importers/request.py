"""A request body alone: there is no answer to judge, but the history it sends back can be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.model import Exchange, Fidelity


def is_request(document: Any) -> bool:
    """Whether a JSON document is the body of a Chat Completions request."""
    return isinstance(document, dict) and isinstance(document.get("messages"), list) and "choices" not in document


def exchange(document: Mapping[str, Any], name: str) -> Exchange:
    """The exchange of a request whose answer is not there."""
    return Exchange(
        source=f"{name}#0",
        body=b"",
        status=None,
        request=document,
        asked_mode="stream" if document.get("stream") else "complete",
        model=str(document.get("model") or ""),
        fidelity=Fidelity(framing=False, presence=True, text=False, whole=False, ids=True, headers=False),
    )
