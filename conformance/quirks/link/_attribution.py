"""Which of two words a text gives to which of two cities, whatever its wording.

The text is read on three levels, each more daring than the one before: lines, clauses, and the order of all mentions.
The first level that gives every city a word of its own decides. Where a level contradicts itself, or none decides, the
text is *undecided*: it is never guessed. One word for every city decides as well, where a line or clause each says so and
no other word is mentioned: that is a result used twice, and another one lost.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Final

_MOST: Final = 20_000
_THOUGHT: Final = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
_EMPHASIS: Final = re.compile(r"[*_`~]")
_CLAUSE: Final = re.compile(r"[\n.,;!?]|\b(?:and|while|whereas|but)\b")
_DOUBT: Final = re.compile(
    r"\b(?:not?|none|nothing|never|cannot|unknown|unavailable|missing|mismatch\w*|unmatched|unclear|unsure|uncertain"
    r"|invalid|error|fail\w*|stray|orphan\w*|unrelated|without|ids?|however|although)\b|n['’]t\b"
)

Pairs = set[tuple[str, str]]
"""City and word."""


def attributed(text: str, cities: Sequence[str], words: Sequence[str]) -> Mapping[str, str] | None:
    """The word that the text gives to each city.

    Args:
        text: an answer, in Markdown or plain.
        cities, words: what may be mentioned, equally many of both.

    Returns:
        City to word; None where that is undecided.
    """
    plain = _plain(text)
    names = {_plain(city): city for city in cities} | {_plain(word): word for word in words}
    places = [
        (match.start(), original)
        for name, original in names.items()
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", plain)
    ]
    mentions = [original for _, original in sorted(places)]
    several = set(words) <= set(mentions)
    for level in (plain.split("\n"), _CLAUSE.split(plain)):
        pairs = {pair for piece in level for pair in _only_pair(piece, names, cities)}
        if several and _contradictory(pairs):
            return None
        if len(pairs) == len(cities) == len(dict(pairs)) and (several or len(set(mentions)) == len(cities) + 1):
            return dict(pairs)
    return _by_order(mentions, cities) if several and set(cities) <= set(mentions) else None


def mentioned(text: str, word: str) -> bool:
    """Whether a word stands in the text."""
    return re.search(rf"(?<!\w){re.escape(_plain(word))}(?!\w)", _plain(text)) is not None


def doubts(text: str) -> bool:
    """Whether the text says that something is amiss, or speaks of ids at all."""
    return _DOUBT.search(_plain(text)) is not None


def _plain(text: str) -> str:
    """Without thoughts, case, accents and emphasis."""
    text = unicodedata.normalize("NFKD", _THOUGHT.sub("", text[:_MOST]).casefold())
    return _EMPHASIS.sub("", "".join(c for c in text if not unicodedata.combining(c)))


def _only_pair(piece: str, names: Mapping[str, str], cities: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The one city and the one word of a piece, if there are no others in it."""
    found = [o for name, o in names.items() if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", piece)]
    if len(found) == 2 and (found[0] in cities) != (found[1] in cities):
        yield (found[0], found[1]) if found[0] in cities else (found[1], found[0])


def _contradictory(pairs: Pairs) -> bool:
    return len({city for city, _ in pairs}) < len(pairs) or len({word for _, word in pairs}) < len(pairs)


def _by_order(mentions: Sequence[str], cities: Sequence[str]) -> Mapping[str, str] | None:
    """What the order of all mentions says, with each city before its word and the other way round.

    Both ways are tried; where both give every city a word, they have to agree.
    """
    runs = [(is_city, list(run)) for is_city, run in groupby(mentions, key=lambda name: name in cities)]
    readings = [_read(runs, city_first=city_first) for city_first in (True, False)]
    whole = [pairs for pairs in readings if len(pairs) == len(cities) and not _contradictory(pairs)]
    return dict(whole[0]) if whole and all(pairs == whole[0] for pairs in whole) else None


def _read(runs: Sequence[tuple[bool, list[str]]], *, city_first: bool) -> Pairs:
    """The pairs of neighbouring runs; none at all if the length of any two runs does not fit."""
    pairs: Pairs = set()
    for (is_city, before), (_, after) in pairwise(runs):
        if is_city is not city_first:
            continue
        left, right = list(dict.fromkeys(before[::-1]))[::-1], list(dict.fromkeys(after))
        cities, words = (left, right) if city_first else (right, left)
        if len(words) == 1:  # the city next to it; the others belong to a sentence around
            pairs.add((cities[-1] if city_first else cities[0], words[0]))
        elif len(cities) == len(words):
            pairs.update(zip(cities, words, strict=True))
        else:
            return set()
    return pairs
