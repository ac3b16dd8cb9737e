"""Which of two words a text gives to which of two cities, whatever its wording.

The text is read in four ways, each more daring than the one before: by lines, by phrases, by clauses, and by the order
of all mentions. The first one that gives either city a word of its own decides, unless a safer one saw something else
in part. Otherwise the text is *undecided*: it is never guessed.

One word for both cities decides as well, if the other word stands nowhere: a result was used twice, another one lost.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import Final

_MOST: Final = 20_000
_THOUGHT: Final = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
_EMPHASIS: Final = re.compile(r"[*_`~]")
_LINE: Final = re.compile(r"\n")
_PHRASE: Final = re.compile(r"[\n.,;!?]")
# "and" joins clauses, but also two cities or two words: what it leaves is no evidence against another reading
_CLAUSE: Final = re.compile(r"[\n.,;!?]|\b(?:and|while|whereas|but)\b")
_DOUBT: Final = re.compile(
    r"\b(?:not?|none|nothing|never|cannot|unknown|unavailable|missing|mismatch\w*|unmatched|unclear|unsure|uncertain"
    r"|invalid|error|fail\w*|stray|orphan\w*|unrelated|without|ids?|however|although)\b|n['’]t\b"
)

Pair = tuple[str, str]
Pairs = set[tuple[str, str]]
"""Cities with words."""


def attributed(text: str, cities: Pair, words: Pair) -> Mapping[str, str] | None:
    """The word that the text gives to each city.

    Args:
        text: an answer, plain or in Markdown.
        cities, words: what may be mentioned.

    Returns:
        City to word; None where that is undecided.
    """
    plain = _plain(text)
    names = {_plain(name): name for name in (*cities, *words)}
    mentions = _mentions(plain, names)
    said = {word for word in words if word in mentions}
    sure: Pairs = set()
    for ends in (_LINE, _PHRASE, _CLAUSE):
        pairs = {pair for piece in ends.split(plain) for pair in _only_pair(set(_mentions(piece, names)), cities)}
        if len(pairs) == len(dict(pairs)) == 2 and {word for _, word in pairs} == said:
            return dict(pairs) if pairs >= sure else None
        if ends is not _CLAUSE:
            sure |= pairs
    pairs = _by_order(mentions, cities)
    return dict(pairs) if pairs and pairs >= sure else None


def mentioned(text: str, word: str) -> bool:
    """Whether a word stands in the text."""
    return bool(_mentions(_plain(text), {_plain(word): word}))


def doubts(text: str) -> bool:
    """Whether the text says that something is amiss, or speaks of ids at all."""
    return _DOUBT.search(_plain(text)) is not None


def _plain(text: str) -> str:
    """Without thoughts, case, accents and emphasis."""
    text = unicodedata.normalize("NFKD", _THOUGHT.sub("", text[:_MOST]).casefold())
    return _EMPHASIS.sub("", "".join(c for c in text if not unicodedata.combining(c)))


def _mentions(plain: str, names: Mapping[str, str]) -> list[str]:
    """The names that stand in a text as words of their own, in order, as often as they do."""
    found = re.finditer(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", plain)
    return [names[match[0]] for match in found]


def _only_pair(found: set[str], cities: Pair) -> Pairs:
    """The city and the word in a piece of text that mentions one of each, and no others."""
    named = found.intersection(cities)
    return {(city, word) for city in named for word in found - named} if len(found) == 2 else set()


def _by_order(mentions: Sequence[str], cities: Pair) -> Pairs:
    """What the order of all mentions says, with each city before its word and the other way round.

    Both ways are tried; if both give either city a word, they have to agree. Empty where it says nothing.
    """
    runs = [list(run) for _, run in groupby(mentions, key=lambda name: name in cities)]
    readings = [_neighbours(runs, cities, city_first=city_first) for city_first in (True, False)]
    whole = [r for r in readings if len(r) == len(dict(r)) == 2 == len({word for _, word in r})]
    return whole[0] if whole and all(r == whole[0] for r in whole) else set()


def _neighbours(runs: Sequence[list[str]], cities: Pair, *, city_first: bool) -> Pairs:
    """The pairs of neighbouring runs; none if two runs do not fit together."""
    pairs: Pairs = set()
    for before, after in pairwise(runs):
        if (before[0] in cities) is not city_first:
            continue
        # of what is said again in one run, that counts which is nearest to the other run
        left, right = list(dict.fromkeys(before[::-1]))[::-1], list(dict.fromkeys(after))
        named, words = (left, right) if city_first else (right, left)
        if len(words) == 1:
            pairs.add((named[-1] if city_first else named[0], words[0]))
        elif len(named) == len(words):
            pairs.update(zip(named, words, strict=True))
        else:
            return set()
    return pairs
