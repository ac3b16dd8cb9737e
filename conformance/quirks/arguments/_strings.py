"""Look into the strings of decoded arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

_ESCAPE: Final = re.compile(r"\\u([0-9a-fA-F]{4})")
_ENTITY: Final = re.compile(r"&(?:lt|gt|amp|quot|apos|#39|#x27|#34);")


def strings(value: Any) -> Iterator[tuple[str, str]]:
    """Every string in a decoded value with its JSON pointer, keys included."""
    stack: list[tuple[str, Any]] = [("", value)]
    while stack:
        path, item = stack.pop()
        if isinstance(item, str):
            yield path or "/", item
        elif isinstance(item, dict):
            stack.extend((f"{path}/{key}", inner) for key, inner in item.items())
        elif isinstance(item, list):
            stack.extend((f"{path}/{position}", inner) for position, inner in enumerate(item))


def double_escaped(text: str) -> bool:
    r"""Literal `\uXXXX` of characters beyond ASCII, in a string that has no such character itself."""
    return text.isascii() and any(int(match.group(1), 16) > 0x7F for match in _ESCAPE.finditer(text))


def html_escaped(text: str) -> bool:
    """Entities in a string without a literal `<` or `>`: markup would hold both."""
    return "&" in text and "<" not in text and ">" not in text and _ENTITY.search(text) is not None
