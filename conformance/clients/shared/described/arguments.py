"""The repair of argument text that reference document 000 describes in §4."""

from __future__ import annotations

import json


def repaired(text: str) -> str:
    """The text if it parses; else with the brackets closed that are open; else `{}`."""
    closed = text + "}" * (text.count("{") - text.count("}")) + "]" * (text.count("[") - text.count("]"))
    for candidate in (text, closed):
        try:
            json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        return candidate
    return "{}"
