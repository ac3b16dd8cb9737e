"""Lines that hold an exchange each: captures and whole answers. A file of them can be read from anywhere in it."""

from __future__ import annotations

from typing import Any

from conformance.errors import InputError
from conformance.importers import capture
from conformance.importers.common import decoded
from conformance.model import Exchange, Fidelity


def is_exchange(line: bytes) -> bool:
    """Whether a line is an exchange of its own."""
    try:
        document = decoded(line)
    except ValueError:
        return False
    return capture.is_capture(document) or is_answer(document)


def is_answer(document: Any) -> bool:
    """Whether a decoded JSON value is a whole answer, not a chunk of one."""
    if not isinstance(document, dict) or document.get("object") == "chat.completion.chunk":
        return False
    choices = document.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return isinstance(first, dict) and isinstance(first.get("message"), dict) and "delta" not in first


def exchange(line: bytes, name: str, position: int) -> Exchange:
    """The exchange of one line.

    Raises:
        InputError: the line holds none.
    """
    where = f"{name}#{position}"
    try:
        document = decoded(line)
    except ValueError as problem:
        raise InputError(f"{where}: not JSON ({problem}); the line is cut or damaged") from None
    if capture.is_capture(document):
        return capture.exchange(document, name, position)
    if is_answer(document):
        fidelity = Fidelity(framing=False, headers=False)
        return Exchange(source=where, body=line.strip(), status=None, fidelity=fidelity)
    raise InputError(f"{where}: neither a capture nor an answer; give one a line")
