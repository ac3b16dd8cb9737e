"""How much JSON is taken for JSON that can be handed on. Standard library only.

RFC 8259 §9 leaves limits to every reader. Nearer to the interpreter's own ones a text could be read, but not shown.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, Final

MAX_NESTING: Final = 500
"""Levels of arrays and objects in one document."""
MAX_DIGITS: Final = 4300
"""Digits of an integer, as Python converts them unless told otherwise."""


def nests_too_deeply(text: str | bytes, value: Any) -> bool:
    """Whether a decoded value has more levels than are taken; `text` is what it was decoded from."""
    brackets = text.count("[") + text.count("{") if isinstance(text, str) else text.count(b"[") + text.count(b"{")
    if brackets <= MAX_NESTING:
        return False
    level = [value]
    for _ in range(MAX_NESTING):
        held = (item.values() if isinstance(item, dict) else item for item in level if isinstance(item, dict | list))
        level = [inner for inner in chain.from_iterable(held) if isinstance(inner, dict | list)]
        if not level:
            return False
    return True
