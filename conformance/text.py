"""Text that somebody else controls, made safe for one line: providers name tools, ids, arguments and error messages.

Standard library only.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from typing import Final

_SHORT: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str, limit: int = 400) -> str:
    """The text on one line, with every character that is not plainly visible written as an escape.

    Control characters (terminal escapes among them), line ends, direction overrides, zero-width characters, halves of
    surrogate pairs and unassigned code points come out as `\\x1b`, `\\n`, `\\u202e` and the like, so that the result
    can stand in a terminal, and is legal in UTF-8 and XML.

    Args:
        text: anything.
        limit: longest result; a longer one is cut and ends with `…`.
    """
    shown = text if text.isprintable() else "".join(c if c.isprintable() else _escape(c) for c in text)
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


_COMMANDS: Final = re.compile(r"((?:^|[\r\n])\s*):(?=:)|(##)\[")


def inert(text: str) -> str:
    """The text with nothing in it that GitHub Actions would take for a command.

    A job's log is searched for lines that begin with `::`, and for `##[` anywhere in a line. Whatever an answer says
    may come to stand there, `::add-mask::` and `::stop-commands::` among it. Both are written with an escape that JSON
    reads as the same text.

    Args:
        text: whole lines of output.

    Source: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands, and ActionCommand.cs
    of actions/runner for the older form.
    """
    return _COMMANDS.sub(lambda found: f"{found[2]}\\u005b" if found[2] else f"{found[1]}\\u003a", text)


LONGEST: Final = 2000
"""Characters of a text of a provider that a record keeps."""


def bounded(text: str) -> str:
    """The text or, of one beyond `LONGEST` characters, its beginning, its length and a checksum.

    Texts that differ still do.
    """
    if len(text) <= LONGEST:
        return text
    checksum = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    said = f"… ({len(text)} characters, SHA-256 {checksum}…)"
    return text[: LONGEST - len(said)] + said


def command(*words: str) -> str:
    """A line for a POSIX shell that runs these words, whoever chose them; what is not plainly visible is escaped."""
    return visible(shlex.join(words), 2000)


def option(name: str, value: str) -> tuple[str, ...]:
    """An option and its value as words of a command; a value that begins with `-` must not be taken for an option."""
    return (f"{name}={value}",) if value.startswith("-") else (name, value)


def plural(number: int, noun: str) -> str:
    """`1 finding`, `2 findings`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _escape(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    point = ord(character)
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
