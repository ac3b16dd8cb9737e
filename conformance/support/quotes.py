"""What an error message repeats of a request.

The words of an error are the server's, and often the very evidence; what they quote is not. So where the verdict hangs
on an error's words, only the quotations in it are replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from conformance.support.placeholders import Placeholders

_WORD: Final = re.compile(r"\w+")
_QUOTED: Final = re.compile(r"([\"'`])(.{1,400}?)\1|[“‘«](.{1,400}?)[”’»]", re.DOTALL)
_RUN: Final = 3


class Quotes:
    """Knows what was written.

    Args:
        texts: what people and models wrote, each text whole.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._words: set[str] = set()
        self._runs: set[tuple[str, ...]] = set()
        for text in texts:
            words = _WORD.findall(text)
            self._words.update(words)
            self._runs.update(zip(*(words[at:] for at in range(_RUN)), strict=False))

    def masked(self, text: str, placeholders: Placeholders) -> str:
        """A text without its quotations: written words, three in a row or between quotation marks."""
        found = list(_WORD.finditer(text))
        quoted: set[int] = set()
        for at in range(len(found) - _RUN + 1):
            if tuple(match.group() for match in found[at : at + _RUN]) in self._runs:
                quoted.update(range(at, at + _RUN))
        marks = [match.span() for match in _QUOTED.finditer(text)]
        for at, match in enumerate(found):
            if match.group() in self._words and any(start < match.start() < end for start, end in marks):
                quoted.add(at)
        out, last = [], 0
        for at in sorted(quoted):
            start, end = found[at].span()
            out += [text[last:start], placeholders.masked(text[start:end])]
            last = end
        return "".join([*out, text[last:]])
