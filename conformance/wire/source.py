"""Find the source text of one value inside a JSON document. Standard library only."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_DECODER: Final = json.JSONDecoder(strict=False)


def source_of(text: str, path: Sequence[str | int]) -> str | None:
    """The text of the value at `path`, exactly as it stands in the document; None if it is not there.

    Args:
        text: a JSON document.
        path: keys and positions from the root.
    """
    found = span_of(text, path)
    return None if found is None else text[found[0] : found[1]]


def span_of(text: str, path: Sequence[str | int]) -> tuple[int, int] | None:
    """Where that text begins and ends; None if it is not there. Parameters as for `source_of`."""
    try:
        return _find(text, _skip(text, 0), path)
    except (ValueError, IndexError, RecursionError, StopIteration):
        return None


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _find(text: str, at: int, path: Sequence[str | int]) -> tuple[int, int]:
    if not path:
        _, end = _DECODER.raw_decode(text, at)
        return at, end
    step = path[0]
    found: tuple[int, int] | None = None
    if isinstance(step, str):
        if text[at] != "{":
            raise ValueError("no object")
        at = _skip(text, at + 1)
        while text[at] != "}":
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
            _, end = _DECODER.raw_decode(text, at)
            if key == step:
                found = (at, end)  # the last of equal keys is the one that decoders keep
            at = _skip(text, end)
            if text[at] == ",":
                at = _skip(text, at + 1)
    else:
        if text[at] != "[":
            raise ValueError("no array")
        at = _skip(text, at + 1)
        position = 0
        while text[at] != "]":
            _, end = _DECODER.raw_decode(text, at)
            if position == step:
                found = (at, end)
                break
            position += 1
            at = _skip(text, end)
            if text[at] == ",":
                at = _skip(text, at + 1)
    if found is None:
        raise ValueError("not there")
    return _find(text, found[0], path[1:])
