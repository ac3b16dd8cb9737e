"""Text that somebody else controls, made safe to show: providers name tools, ids, arguments and error messages."""

from __future__ import annotations

import re
from typing import Final

from conformance.text import plural, visible

__all__ = ["anchor", "code", "place_of", "plural", "prose", "ticked", "visible"]

_MARKUP: Final = re.compile(
    r"[\\`*\[\]<>|~&$@#]"
    r"|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"  # between letters it is no emphasis
    r"|:(?=[/A-Za-z+_-])"  # an address, or the name of an emoji
)
_NOT_IN_ANCHOR: Final = re.compile(r"[^a-z0-9]+")


def code(text: str, limit: int = 400) -> str:
    """A Markdown code span that holds the text whatever it is; not for table cells, where `|` would still divide."""
    shown = visible(text, limit)
    if not shown.strip():
        return "(blank)" if shown else "(empty)"
    longest = max(map(len, re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def prose(text: str, limit: int = 400) -> str:
    """The text as plain words of a Markdown document, also inside a table.

    Whatever could start markup, a link, a mention, an emoji or a formula on GitHub is written as a character reference,
    which no renderer takes for markup.
    """
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", visible(text, limit)).replace("www.", "www&#46;")


def ticked(text: str) -> str:
    """Markdown of a sentence in which backticks mark code, as titles and guards have it; also inside a table."""
    parts = visible(text, 1000).split("`")
    if len(parts) % 2 == 0 or any("|" in part for part in parts[1::2]):
        return prose(text, 1000)
    return "".join(code(part) if number % 2 else prose(part, 1000) for number, part in enumerate(parts))


def anchor(*parts: str) -> str:
    """A name for a place in a document: lower-case letters, digits and hyphens."""
    return "-".join(_NOT_IN_ANCHOR.sub("-", part.lower()).strip("-") for part in parts if part)


def place_of(kind: str, slug: str, key: str) -> str:
    """The anchor of a cell's evidence.

    Args:
        kind: what sort of evidence.
        slug: of the quirk.
        key: of the row; the two hyphens before it are in no name, so that no two places are called alike.
    """
    return f"{anchor(kind, slug)}--{key}"
