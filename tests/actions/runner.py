"""What the runner of GitHub Actions does, as far as it matters here: it reads commands out of a log.

Both forms are as in the runner's documentation and source: `::name key=value,…::text` where a line begins with it, and
`##[name key=value;…]text` anywhere in a line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

NAMES: Final = frozenset(
    (
        *("add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group", "notice"),
        *("remove-matcher", "save-state", "set-env", "set-output", "stop-commands", "warning"),
    )
)


@dataclass(frozen=True)
class Command:
    """A command that the runner would carry out."""

    name: str
    text: str
    fields: dict[str, str] = field(default_factory=dict)


def commands(log: str) -> list[Command]:
    """Every command in a log, in order."""
    found = (_newer(line) or _older(line) for line in re.split(r"\r\n|\r|\n", log))
    return [one for one in found if one is not None]


def _newer(line: str) -> Command | None:
    line = line.lstrip()
    if not line.startswith("::") or "::" not in line[2:]:
        return None
    about, _, text = line[2:].partition("::")
    name, _, fields = about.partition(" ")
    if name.lower() not in NAMES:
        return None
    pairs = (pair.partition("=") for pair in fields.strip().split(",") if "=" in pair)
    return Command(name.lower(), _unescaped(text), {key: _unescaped(value, ":,") for key, _, value in pairs})


def _older(line: str) -> Command | None:
    _, opened, rest = line.partition("##[")
    about, closed, text = rest.partition("]")
    name = about.partition(" ")[0].lower()
    return Command(name, text) if opened and closed and name in NAMES else None


def _unescaped(text: str, more: str = "") -> str:
    for char in ("\r", "\n", *more, "%"):
        text = text.replace(f"%{ord(char):02X}", char)
    return text
