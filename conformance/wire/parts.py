"""Find parts of a key: what is left of it where a stream was cut, or a server shows only how it begins and ends.

Standard library only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

LEAST: Final = 8
"""Characters that make a part; fewer say too little, and any word may hold them."""
_SEED: Final = 4
_STEP: Final = LEAST - _SEED + 1


class Parts:
    """Knows values of which no part may be told.

    Args:
        values: each as bytes.
    """

    def __init__(self, values: Iterable[bytes]) -> None:
        # every part of eight bytes holds one of these seeds whole, and a seed is found fast
        self._seeds = [
            (value, at, value[at : at + _SEED])
            for value in dict.fromkeys(values)
            for at in range(0, len(value) - _SEED + 1, _STEP)
        ]

    def spans(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Where a part stands; overlapping where parts do."""
        for value, at, seed in self._seeds:
            found = data.find(seed)
            while found >= 0:
                start, end = _grown(data, found, value, at)
                if end - start >= LEAST and says_something(data[start:end]):
                    yield start, end
                found = data.find(seed, found + 1)


def _grown(data: bytes, found: int, value: bytes, at: int) -> tuple[int, int]:
    before = 0
    while before < min(found, at) and data[found - before - 1] == value[at - before - 1]:
        before += 1
    after = _SEED
    while after < min(len(data) - found, len(value) - at) and data[found + after] == value[at + after]:
        after += 1
    return found - before, found + after


def says_something(part: bytes) -> bool:
    """Whether it is no word: keys that people make up hold words, and those stay where nothing else gives them away."""
    digits = any(0x30 <= byte <= 0x39 for byte in part)
    return digits or not (part.islower() or part.isupper())
