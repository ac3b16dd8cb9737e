"""A response body with its text replaced in place.

A stream says one thing in many pieces. So the pieces are put together again, in each way in which they may belong
together (same place, same index, same id), looked at as a whole, and written back each into its own bytes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Final

from conformance.support import known
from conformance.support.placeholders import Placeholders
from conformance.support.quotes import Quotes
from conformance.support.secrets import Secrets
from conformance.support.spans import Path, Span, rewritten, spans

Mask = Callable[[str, Collection[int]], str]

NAMING: Final = frozenset(("function", "custom", "function_call", "tool_choice"))
STRUCTURE: Final = frozenset(
    (
        *("id", "object", "model", "role", "type", "index", "finish_reason", "native_finish_reason", "stop_reason"),
        *("system_fingerprint", "service_tier", "provider", "tool_call_id", "code", "param", "status", "format"),
    )
)
"""Members whose strings belong to the protocol: nobody wrote them as text."""


class Body:
    """The text of a response body after content decoding.

    Args:
        data: the bytes.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._spans = list(spans(data))
        self._groups, self._calls = _groups(self._spans)

    def texts(self) -> Iterator[str]:
        """Everything that is said, pieces put together in every way; single texts once."""
        yield from dict.fromkeys(span.text for span in self._spans if span.kind != "number")
        for group in self._groups:
            yield "".join(self._spans[n].text for n in group)

    def private(self) -> Iterator[str]:
        """What stands under a name that says it is a credential or an account."""
        return (span.text for span in self._spans if _is_private(span))

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
        texts = self._without_secrets(secrets)
        masked = sum(new != span.text for new, span in zip(texts, self._spans, strict=True))
        if words is not None:
            texts = self._without_words(texts, words, together, quotes)
        self._settle_bytes(texts, always=words is not None or masked > 0)
        out = bytearray(self._data)
        for span, text in zip(self._spans, texts, strict=True):
            if text != span.text:
                out[span.start : span.end] = rewritten(self._data, span, text)
        return bytes(out), masked

    def _without_secrets(self, secrets: Secrets) -> list[str]:
        memory: dict[str, str] = {}
        texts = []
        for span in self._spans:
            if span.kind == "number":
                texts.append(span.text)
            elif _is_private(span):
                texts.append(secrets.hidden(span.text))
            else:
                if span.text not in memory:
                    memory[span.text] = secrets.masked(span.text, (len(span.text),))
                texts.append(memory[span.text])
        for group in self._groups:
            pieces = [self._spans[n].text for n in group]
            for n, text in zip(group, _split(pieces, secrets.masked), strict=True):
                if text != self._spans[n].text:
                    texts[n] = _both(texts[n], text, self._spans[n].text)
        for group in self._groups:
            self._spread(group, texts)
        return texts

    def _spread(self, group: Sequence[int], texts: list[str]) -> None:
        """A growing snapshot shows the beginning of what a later one has whole."""
        for n, later in reversed(list(pairwise(group))):
            old = self._spans[n].text
            if texts[later] != self._spans[later].text and old and self._spans[later].text.startswith(old):
                texts[n] = _both(texts[n], texts[later][: len(old)], old)

    def _without_words(self, texts: list[str], words: Placeholders, together: bool, quotes: Quotes | None) -> list[str]:
        found = list(texts)
        for n, span in enumerate(self._spans):
            if quotes is not None and _is_error(span):
                found[n] = quotes.masked(texts[n], words)
            elif _is_text(span):
                found[n] = words.masked(texts[n], (len(texts[n]),), arguments=span.path[-1:] == ("arguments",))
        for group in self._calls if together else ():
            arguments = self._spans[group[0]].path[-1:] == ("arguments",)

            def mask(text: str, ends: Collection[int], arguments: bool = arguments) -> str:
                return words.masked(text, ends, arguments=arguments)

            for n, text in zip(group, _split([texts[n] for n in group], mask), strict=True):
                found[n] = text
        return found

    def _settle_bytes(self, texts: list[str], *, always: bool) -> None:
        """`logprobs` spell every token out once more, as numbers."""
        for n, span in enumerate(self._spans):
            if always and span.kind == "number" and "logprobs" in span.path and "bytes" in span.path:
                texts[n] = "".join("1" if char.isdigit() else char for char in texts[n])


def _groups(found: Sequence[Span]) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Which spans may be pieces of one text: in every way, and in the most likely one."""
    entries = _entries(found)
    every: dict[object, list[int]] = defaultdict(list)
    likely: dict[object, list[int]] = defaultdict(list)
    last: dict[object, str] = {}
    for n, span in enumerate(found):
        if span.kind in ("plain", "word"):
            every[span.kind].append(n)
        if span.kind != "string" or (span.path and span.path[-1] in STRUCTURE):
            continue
        place = tuple(step for step in span.path if isinstance(step, str))
        choice, _ = entries.get((span.document, span.path[:2]), ("", ""))
        index, call_id = entries.get((span.document, _entry(span.path)), ("", ""))
        spoken = (place, choice)
        last[spoken] = call_id or last.get(spoken, "")
        for key in (("path", span.path), ("place", place), ("index", spoken, index), ("id", spoken, last[spoken])):
            every[key].append(n)
        if _is_text(span):
            called = span.path[-1:] == ("arguments",)
            likely[(spoken, index or last[spoken]) if called else (span.path, choice)].append(n)
    several = {tuple(group): None for group in every.values() if len(group) > 1}
    return list(several), [tuple(group) for group in likely.values() if len(group) > 1]


def _entries(found: Sequence[Span]) -> Mapping[tuple[int, Path], tuple[str, str]]:
    """Index and id of each choice and entry of `tool_calls`, as sent, by number of the document and path."""
    entries: dict[tuple[int, Path], tuple[str, str]] = {}
    for span in found:
        key = (span.document, span.path[:-1])
        if span.kind == "number" and span.path[-1:] == ("index",):
            entries[key] = (span.text.strip(), entries.get(key, ("", ""))[1])
        elif span.kind == "string" and span.path[-1:] == ("id",):
            entries[key] = (entries.get(key, ("", ""))[0], span.text)
    return entries


def _entry(path: Path) -> Path:
    at = path.index("tool_calls") if "tool_calls" in path else len(path)
    return path[: at + 2]


def _is_text(span: Span) -> bool:
    """Whether somebody wrote it, as far as its place tells."""
    if span.kind in ("word", "plain"):
        return True
    if span.kind != "string":
        return False
    return is_text(span.path)


def _is_error(span: Span) -> bool:
    """Whether it is the server's own word on a request: text that stands beside no choices."""
    return _is_text(span) and "choices" not in span.path


def is_text(path: Path) -> bool:
    """Whether the string at a place in a request or response is what a person or a model wrote."""
    if not path or "arguments" in path[:-1]:
        return True
    named = path[-1] == "name" and len(path) > 1 and path[-2] in NAMING
    return not (named or path[-1] in STRUCTURE)


def _is_private(span: Span) -> bool:
    return span.kind == "string" and is_private(span.path)


def is_private(path: Path) -> bool:
    """Whether the string at a place in a request or response is a credential or an account, by its name."""
    name = path[-1] if path else ""
    if not isinstance(name, str) or "logprobs" in path:
        return False
    return known.is_private_field(name) or ("arguments" not in path and known.is_account_field(name))


def _split(pieces: Sequence[str], mask: Mask) -> Iterator[str]:
    """Mask pieces as the one text they are."""
    ends = list(accumulate(map(len, pieces)))
    whole = mask("".join(pieces), ends)
    return (whole[end - len(piece) : end] for piece, end in zip(pieces, ends, strict=True))


def _both(one: str, other: str, original: str) -> str:
    return "".join(a if a != o else b for a, b, o in zip(one, other, original, strict=True))
