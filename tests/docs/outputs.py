"""Whether a program printed what a page shows.

A line `…` stands for any lines, `…` inside a line for any text. Times of day, durations and trailing white space do not
count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_SWAYING: Final = (
    (re.compile(r"\b\d\d:\d\d:\d\d\b"), "hh:mm:ss"),
    (re.compile(r"\b\d+(?:\.\d+)? ?(ms|s)\b"), r"N \1"),
    (re.compile(r"\x1b\[[0-9;]*m"), ""),
)


def matches(shown: str, printed: str, *, part: bool = False) -> bool:
    """Whether `printed` is what is shown, or holds it somewhere if `part`."""
    wanted, lines = _lines(shown), _lines(printed)
    if part:
        wanted = ["…", *wanted, "…"]
    return _follow(wanted, lines)


def _lines(text: str) -> list[str]:
    for pattern, word in _SWAYING:
        text = pattern.sub(word, text)
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    return [] if lines == [""] else lines


def _follow(wanted: Sequence[str], lines: Sequence[str]) -> bool:
    """Match line by line; `reach` holds how many lines may have been used up so far."""
    reach = {0}
    for want in wanted:
        if want.strip() == "…":
            reach = set(range(min(reach), len(lines) + 1))
        else:
            pattern = re.compile(".*".join(re.escape(piece) for piece in want.split("…")))
            reach = {n + 1 for n in reach if n < len(lines) and pattern.fullmatch(lines[n])}
        if not reach:
            return False
    return len(lines) in reach
