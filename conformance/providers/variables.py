"""`${NAME}` and `${NAME:-default}` in a text of `providers.yaml`: the shell's forms, and no others.

Variables are looked up when a provider is used, not when the file is loaded: a file with twenty providers is valid on
a machine that knows the keys of two.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_REFERENCE: Final = re.compile(r"\$\{([A-Z][A-Z0-9_]*)(?::-([^{}$]*))?\}")


def problem(text: str) -> str | None:
    """What is wrong with the `${...}` in a text, as the rest of a sentence; None if nothing is."""
    if "${" in _REFERENCE.sub("", text):
        return (
            "holds a '${' that is neither ${NAME} nor ${NAME:-default} "
            "(capital letters, digits and underscores; a default without '$', '{' and '}')"
        )
    return None


def names(text: str) -> tuple[str, ...]:
    """The variables a text refers to, in order, without repeats."""
    return tuple(dict.fromkeys(m.group(1) for m in _REFERENCE.finditer(text)))


def defaults(text: str) -> tuple[str, ...]:
    """The defaults that a text gives its variables, leaving out empty ones."""
    return tuple(m.group(2) for m in _REFERENCE.finditer(text) if m.group(2))


def expand(text: str, environ: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """Replace every reference.

    As in the shell's `:-`, an empty variable counts as absent.

    Returns:
        the text, and the variables that are absent and have no default; each of those stands in the text as its name in
        lower case with hyphens (a valid part of a host name or a path).
    """
    missing: dict[str, None] = {}

    def value(match: re.Match[str]) -> str:
        name: str = match.group(1)
        default: str | None = match.group(2)
        if found := environ.get(name):
            return found
        if default is not None:
            return default
        missing[name] = None
        return name.lower().replace("_", "-")

    return _REFERENCE.sub(value, text), tuple(missing)


def starts_open(text: str) -> bool:
    """Whether a text begins with a reference without a default, so that its beginning is unknown until it is used."""
    match = _REFERENCE.match(text)
    return match is not None and match.group(2) is None
