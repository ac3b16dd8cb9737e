"""Chunks as JSON: one a line, or an array of them. Framing is gone, so framing checks do not apply."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from conformance.importers import capture
from conformance.model import Exchange, Fidelity


def is_lines(text: bytes) -> bool:
    """Whether the first line is a JSON object of its own and there are more."""
    first, newline, _ = text.partition(b"\n")
    if not newline:
        return False
    try:
        return isinstance(orjson.loads(first), dict)
    except orjson.JSONDecodeError:
        return False


def is_chunks(document: Any) -> bool:
    """Whether a JSON document is an array of chunks, or one chunk alone."""
    if isinstance(document, list):
        return bool(document) and all(isinstance(item, dict) for item in document) and _chunk(document[0])
    return _chunk(document)


def _chunk(item: Any) -> bool:
    return isinstance(item, dict) and item.get("object") == "chat.completion.chunk"


def exchanges(text: bytes, name: str, request: Mapping[str, Any] | None) -> Iterator[Exchange]:
    """Lines of captures are exchanges of their own; any other lines are the chunks of one stream.

    A line that is not JSON stays in the stream as it is: reading it says so.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) == 1 and lines[0].startswith(b"["):
        lines = [orjson.dumps(item) for item in orjson.loads(lines[0])]
    elif text.lstrip().startswith(b"["):
        lines = [orjson.dumps(item) for item in orjson.loads(text)]
    documents = []
    for line in lines:
        try:
            documents.append(orjson.loads(line))
        except orjson.JSONDecodeError:
            documents.append(None)
    if any(capture.is_capture(d) for d in documents):
        for position, document in enumerate(documents):
            if capture.is_capture(document):
                yield capture.exchange(document, name, position)
        return
    body = b"".join(b"data: " + line + b"\n\n" for line in lines)
    yield Exchange(
        source=f"{name}#0",
        body=body,
        request=request,
        asked_mode=None if request is None else "stream" if request.get("stream") else "complete",
        fidelity=Fidelity(framing=False, headers=False),
    )
