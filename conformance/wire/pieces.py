"""Which texts of a response body may be pieces of one text.

A stream says one thing in many pieces. So the pieces are put together again, in each way in which they may belong
together (same place, same index, same id), looked at as a whole, and written back each into its own bytes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Final

from conformance.wire.spans import Path, Span, rewritten, spans

Mask = Callable[[str, Collection[int]], str]
"""Masks a text, character for character as long in UTF-8; the positions are those at which a piece of it ends."""

NAMING: Final = frozenset(("function", "custom", "function_call", "tool_choice"))
STRUCTURE: Final = frozenset(
    (
        *("id", "object", "model", "role", "type", "index", "finish_reason", "native_finish_reason", "stop_reason"),
        *("system_fingerprint", "service_tier", "provider", "tool_call_id", "code", "param", "status", "format"),
    )
)
"""Members whose strings belong to the protocol: nobody wrote them as text."""

_TELLS: Final = 4
"""Characters of which one piece may be the beginning of the next as a snapshot is; of fewer by chance, and they say
nothing."""


class Pieces:
    """The texts of a body after content decoding.

    Args:
        data: the bytes.
        only: which texts to keep; a long stream holds many that do not matter to everybody.

    Attributes:
        spans: the texts, in order.
        groups: positions in `spans` of what may be one text, in every way.
        calls: the same in the most likely way, of what people and models wrote.
    """

    def __init__(self, data: bytes, only: Callable[[Span], bool] | None = None) -> None:
        self._data = data
        self.spans = list(filter(only, spans(data)))
        self.groups, self.calls = _groups(self.spans)

    def texts(self) -> Iterator[str]:
        """Everything that is said, pieces put together in every way; single texts once."""
        yield from dict.fromkeys(span.text for span in self.spans if span.kind != "number")
        for group in self.groups:
            yield "".join(self.spans[n].text for n in group)

    def masked(self, mask: Mask, whole: Callable[[Span], str | None] = lambda _: None) -> list[str]:
        """What each span says with everything masked, by itself and as a piece of every text that it may belong to.

        Args:
            mask: masks a text.
            whole: what a span says instead, where that does not depend on its text alone; None where it does.
        """
        memory: dict[str, str] = {}
        texts = []
        for span in self.spans:
            given = span.text if span.kind == "number" else whole(span)
            if given is None:
                if span.text not in memory:
                    memory[span.text] = mask(span.text, (len(span.text),))
                given = memory[span.text]
            texts.append(given)
        for group in self.groups:
            pieces = [self.spans[n].text for n in group]
            for n, text in zip(group, split(pieces, mask), strict=True):
                if text != self.spans[n].text:
                    texts[n] = _both(texts[n], text, self.spans[n].text)
        for group in self.groups:
            self._spread(group, texts)
        return texts

    def written(self, texts: Sequence[str]) -> bytes:
        """The body with other texts, one for each span and as long as it in UTF-8."""
        out = bytearray(self._data)
        for span, text in zip(self.spans, texts, strict=True):
            if text != span.text:
                out[span.start : span.end] = rewritten(self._data, span, text)
        return bytes(out)

    def settle_bytes(self, texts: list[str]) -> None:
        """Blank the numbers with which `logprobs` spell every token out once more."""
        for n, span in enumerate(self.spans):
            if span.kind == "number" and "logprobs" in span.path and "bytes" in span.path:
                texts[n] = "".join("1" if char.isdigit() else char for char in texts[n])

    def _spread(self, group: Sequence[int], texts: list[str]) -> None:
        """A growing snapshot shows the beginning of what a later one has whole."""
        for n, later in reversed(list(pairwise(group))):
            old = self.spans[n].text
            if len(old) < _TELLS or texts[later] == self.spans[later].text:
                continue
            if self.spans[later].text.startswith(old):
                texts[n] = _both(texts[n], texts[later][: len(old)], old)


def split(pieces: Sequence[str], mask: Mask) -> Iterator[str]:
    """Mask pieces as the one text they are."""
    ends = list(accumulate(map(len, pieces)))
    whole = mask("".join(pieces), ends)
    return (whole[end - len(piece) : end] for piece, end in zip(pieces, ends, strict=True))


def is_text(path: Path) -> bool:
    """Whether the string at a place in a request or response is what a person or a model wrote."""
    if not path or "arguments" in path[:-1]:
        return True
    named = path[-1] == "name" and len(path) > 1 and path[-2] in NAMING
    return not (named or path[-1] in STRUCTURE)


def joins(span: Span) -> bool:
    """Whether a text may be a piece of another, or says of which."""
    name = span.path[-1] if span.path else ""
    match span.kind:
        case "string":
            return name == "id" or name not in STRUCTURE
        case "number":
            return name == "index" or "bytes" in span.path
        case kind:
            return kind != "key"


def is_written(span: Span) -> bool:
    """Whether somebody wrote it, as far as its place tells."""
    if span.kind in ("word", "plain"):
        return True
    return span.kind == "string" and is_text(span.path)


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
        if is_written(span):
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


def _both(one: str, other: str, original: str) -> str:
    return "".join(a if a != o else b for a, b, o in zip(one, other, original, strict=True))
