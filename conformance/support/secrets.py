"""Mask secrets in text: those known by value wherever they stand, others where their form gives them away."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import accumulate
from typing import Final

from conformance.support import known
from conformance.support.placeholders import placeholder as shape
from conformance.wire.parts import LEAST, says_something
from conformance.wire.redact import MIN_SECRET, Redactor, is_placeholder, merged, placeholder

_MOST: Final = 500
"""Values that are looked for everywhere; a body that holds more of them has them masked where their form shows."""
_CODED: Final = 2000
"""Characters of values that are looked for in coded forms (percent, base64, escapes) as well: a pattern takes time."""
_WORDS: Final = frozenset(
    (
        *("assistant", "function", "required", "developer", "tool_calls", "function_call", "content_filter"),
        *("chat.completion", "chat.completion.chunk"),
    )
)
"""Words of the protocol: what stands under a telling name may be one of them, and is no secret then."""


class Secrets:
    """What must not be told.

    Args:
        values: credentials known by value; those under 8 characters are words, not keys.
        texts: everything that may hold more of them, each text whole: the pieces of a stream put together.
    """

    def __init__(self, values: Iterable[str], texts: Iterable[str]) -> None:
        found = dict.fromkeys(_real(values))
        lengths = accumulate(map(len, found))
        self._redactor = Redactor(value for value, length in zip(found, lengths, strict=True) if length <= _CODED)
        for text in texts:
            if len(found) >= _MOST:
                break
            found.update(dict.fromkeys(_real(text[start:end] for start, end in known.keys_in(text))))
        self._values = sorted(found, key=len, reverse=True)[:_MOST]
        self._plainly = re.compile("|".join(map(re.escape, self._values))) if found else None

    def masked(self, text: str, ends: Collection[int] = ()) -> str:
        """The text without them, character for character as long in UTF-8.

        Args:
            text: whole, where it came in pieces.
            ends: where its pieces end; the last may break off in the middle of a secret.
        """
        spans = [*known.keys_in(text), *known.persons_in(text), *self._exact(text)]
        spans += self._begun(text) if ends else ()
        out: list[str] = []
        last = 0
        for start, end in merged(spans):
            out += (text[last:start], self.hidden(text[start:end]))
            last = end
        return "".join((*out, text[last:]))

    def hidden(self, text: str) -> str:
        """What stands for a text that is a secret as a whole."""
        return "".join(
            char if old.isascii() else shape(old) for old, char in zip(text, placeholder(len(text)), strict=True)
        )

    def _exact(self, text: str) -> Iterator[tuple[int, int]]:
        if self._plainly is None:
            return
        yield from (match.span() for match in self._plainly.finditer(text))
        yield from self._redactor.within(text)

    def _begun(self, text: str) -> Iterator[tuple[int, int]]:
        """Where a secret begins that the end of the text cuts off."""
        for value in self._values:
            for length in range(min(len(value) - 1, len(text)), LEAST - 1, -1):
                if text.endswith(value[:length]) and says_something(value[:length].encode("utf-8", "surrogatepass")):
                    yield len(text) - length, len(text)
                    break


def _real(values: Iterable[str]) -> Iterator[str]:
    return (v for v in values if len(v) >= MIN_SECRET and not is_placeholder(v) and v not in _WORDS)
