"""A response body with its text replaced in place."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from conformance.support import known
from conformance.support.placeholders import Placeholders
from conformance.support.quotes import Quotes
from conformance.support.secrets import Secrets
from conformance.wire.pieces import Pieces, is_written, split
from conformance.wire.spans import Path, Span


class Body:
    """The text of a response body after content decoding.

    Args:
        data: the bytes.
    """

    def __init__(self, data: bytes) -> None:
        self._pieces = Pieces(data)

    def texts(self) -> Iterator[str]:
        """Everything that is said, pieces put together in every way; single texts once."""
        return self._pieces.texts()

    def private(self) -> Iterator[str]:
        """What stands under a name that says it is a credential or an account."""
        return (span.text for span in self._pieces.spans if _is_private(span))

    def redacted(
        self,
        secrets: Secrets,
        words: Placeholders | None = None,
        *,
        together: bool = True,
        quotes: Quotes | None = None,
    ) -> tuple[bytes, int]:
        """The body without secrets.

        Args:
            secrets: what goes in any case.
            words: what writes placeholders for all other text; None leaves it.
            together: whether the text of a call is taken as a whole for that, or each piece by itself.
            quotes: replaces in error messages only what they quote; None has all of them replaced.

        Returns:
            The bytes, as many as before, and the number of strings a secret was taken out of.
        """
        spans = self._pieces.spans
        texts = self._pieces.masked(
            secrets.masked, lambda span: secrets.hidden(span.text) if _is_private(span) else None
        )
        masked = sum(new != span.text for new, span in zip(texts, spans, strict=True))
        if words is not None:
            texts = self._without_words(texts, words, together, quotes)
        if words is not None or masked:
            self._pieces.settle_bytes(texts)
        return self._pieces.written(texts), masked

    def _without_words(self, texts: list[str], words: Placeholders, together: bool, quotes: Quotes | None) -> list[str]:
        found = list(texts)
        spans = self._pieces.spans
        for n, span in enumerate(spans):
            if quotes is not None and _is_error(span):
                found[n] = quotes.masked(texts[n], words)
            elif is_written(span):
                found[n] = words.masked(texts[n], (len(texts[n]),), arguments=span.path[-1:] == ("arguments",))
        for group in self._pieces.calls if together else ():
            arguments = spans[group[0]].path[-1:] == ("arguments",)

            def mask(text: str, ends: Collection[int], arguments: bool = arguments) -> str:
                return words.masked(text, ends, arguments=arguments)

            for n, text in zip(group, split([texts[n] for n in group], mask), strict=True):
                found[n] = text
        return found


def is_private(path: Path) -> bool:
    """Whether the string at a place in a request or response is a credential or an account, by its name."""
    name = path[-1] if path else ""
    if not isinstance(name, str) or "logprobs" in path:
        return False
    return known.is_private_field(name) or ("arguments" not in path and known.is_account_field(name))


def _is_error(span: Span) -> bool:
    """Whether it is the server's own word on a request: text that stands beside no choices."""
    return is_written(span) and "choices" not in span.path


def _is_private(span: Span) -> bool:
    return span.kind == "string" and is_private(span.path)
