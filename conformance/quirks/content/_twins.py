"""Tell whether two ids are of the same make."""

from __future__ import annotations

import re
from typing import Final

_PREFIX: Final = re.compile(r"^(?:[A-Za-z]+[-_:.])*")
_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


def different_form(one: str, other: str) -> bool:
    """Whether two ids differ in prefix, or one of them is a UUID and the other is not."""
    first, second = _PREFIX.match(one), _PREFIX.match(other)
    if (first.group() if first else "") != (second.group() if second else ""):
        return True
    return (_UUID.search(one) is None) != (_UUID.search(other) is None)
