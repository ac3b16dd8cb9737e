"""The past of one cell: since which day it says what, and how a further look at it changes that. Pure.

A timeline holds a change for each time that a cell began to say something else, not a line for each night. Three rules
keep it short and true:

- A quirk that turns up and goes again and again would add a change nearly every night. Three changes within `WINDOW`
  days become one, *varies*, which remembers the last day on which the quirk was found and the last on which it was not.
  It ends when one of the two lies `WINDOW` days back; what follows is dated to the first look after that day.
- While a quirk is found, its level only rises: the gravest level found so far.
- A look into the past (a record that is added late) says something about its own day only: on the next day on which
  somebody looked, the cell says again what it said before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise, zip_longest
from typing import Final, Literal

from conformance.model import LEVELS, Level

Says = Literal["found", "ok", "varies"]

WINDOW: Final = 60
"""Days: so close together three changes are one coming and going, and so long a silence ends it."""

_FLIPS: Final = 3
_GRAVEST: Final[tuple[Says, ...]] = ("varies", "found", "ok")
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Change:
    """What a cell says from a day on.

    Attributes:
        day: ISO 8601.
        state: `found`, `ok` (not found where it could have been), or `varies`: found on some days and not on others.
        level: the gravest level found; None for `ok`.
        occurrences, applicable: exchanges that showed the quirk when it began to say so, out of those that could.
        found, missed: for `varies` the last days on which the quirk was found and not found; else empty.
    """

    day: str
    state: Says
    level: Level | None
    occurrences: int
    applicable: int
    found: str = ""
    missed: str = ""

    @property
    def text(self) -> str:
        """What it says, with the day, as the end of a sentence."""
        words = {"found": "found since", "ok": "not found since", "varies": "comes and goes since"}
        return f"{words[self.state]} {self.day}"

    def says(self, other: Change) -> bool:
        """Whether this covers the other: the same state, at no graver a level."""
        return self.state == other.state and _rank(self.level) <= _rank(other.level)


@dataclass(frozen=True, slots=True)
class Looked:
    """The days on which somebody looked, as spans of consecutive days (first and last), in order."""

    spans: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, spans: Iterable[tuple[str, str]]) -> Looked:
        """Put spans together that overlap or follow each other."""
        merged: list[tuple[str, str]] = []
        for first, last in sorted(spans):
            if merged and first <= _shifted(merged[-1][1], _DAY):
                merged[-1] = (merged[-1][0], max(merged[-1][1], last))
            else:
                merged.append((first, last))
        return cls(tuple(merged))

    def on(self, day: str) -> Looked:
        """With a further day."""
        if any(first <= day <= last for first, last in self.spans):
            return self
        return Looked.of([*self.spans, (day, day)])

    @property
    def last(self) -> str:
        """The last of them; empty if there is none."""
        return self.spans[-1][1] if self.spans else ""

    def since(self, day: str) -> int:
        """On how many days, from this one on."""
        parts = [(max(first, day), last) for first, last in self.spans if last >= day]
        return sum((date.fromisoformat(last) - date.fromisoformat(first)).days + 1 for first, last in parts)

    def before(self, day: str) -> str:
        """The last of them before a day; empty if there is none."""
        eve = _shifted(day, -_DAY)
        return next((min(last, eve) for first, last in reversed(self.spans) if first <= eve), "")

    def after(self, day: str) -> str:
        """The first of them after a day; empty if there is none."""
        morrow = _shifted(day, _DAY)
        return next((max(first, morrow) for first, last in self.spans if last >= morrow), "")


def at(changes: Sequence[Change], day: str) -> Change | None:
    """What a cell said on a day; None if nobody had looked yet."""
    return next((one for one in reversed(changes) if one.day <= day), None)


def observe(changes: Sequence[Change], seen: Change, day: str, looked: Looked) -> tuple[Change, ...]:
    """Take a look into account.

    Args:
        changes: by day.
        seen: what was seen, `found` or `ok`; its day is the first of which the exchanges looked at tell.
        day: the day of the look, the same or a later one.
        looked: when else somebody looked.

    Returns:
        The changes by day. The same look taken into account again changes nothing.
    """
    known = at(changes, day)
    if known is not None and known.says(seen):
        return tuple(changes)
    if known is not None and known.state == "varies":
        return _during(changes, known, seen, day, looked)
    before, after = looked.before(day), looked.after(day)
    # what lies between the look before and this one was dated back from this one
    earlier = [one for one in changes if one.day <= before]
    later = [one for one in changes if one.day > day]
    if known is not None and after and (not later or later[0].day > after):
        later.insert(0, replace(known, day=after))
    began = seen.day if seen.day > before else day
    return settled([*earlier, replace(seen, day=began), *later], max(looked.last, day))


def settled(changes: Iterable[Change], looked: str) -> tuple[Change, ...]:
    """The changes by day: one a day, none that changes nothing, coming and going put together.

    Two of one day come from two branches of one file: what was found that day was found.

    Args:
        changes: in any order.
        looked: the last day on which somebody looked.
    """
    kept: list[Change] = []
    ordered = sorted(changes, key=lambda change: (change.day, _GRAVEST.index(change.state), _rank(change.level)))
    for one, after in zip_longest(ordered, ordered[1:]):
        last = kept[-1] if kept else None
        if last is not None and last.state == one.state == "varies":
            kept[-1] = _longer(last, one)
        elif last is None or not (last.day == one.day or last.says(one)):
            kept.append(one)
            if _flickers(kept[-_FLIPS - 1 :]):
                kept[-_FLIPS:] = _together(kept[-_FLIPS:], _shifted(after.day, -_DAY) if after else looked)
    return tuple(kept)


def _flickers(last: Sequence[Change]) -> bool:
    """Whether a state is followed by as many others as make a coming and going."""
    if len(last) <= _FLIPS or any(one.state == "varies" for one in last):
        return False
    turns = all(one.state != other.state for one, other in pairwise(last))
    return turns and last[-1].day <= _shifted(last[1].day, WINDOW * _DAY)


def _together(flips: Sequence[Change], until: str) -> list[Change]:
    """The coming and going, and what came after it, if the last state lasted long enough."""
    worst = min((one for one in flips if one.state == "found"), key=lambda one: _rank(one.level))
    last = max(flips[-1].day, until)
    eve = _shifted(flips[-1].day, -_DAY)  # the state before lasted until then at the longest
    found, missed = (last, eve) if flips[-1].state == "found" else (eve, last)
    whole = replace(worst, day=flips[0].day, state="varies", found=found, missed=missed)
    if last < _shifted(eve, WINDOW * _DAY):
        return [whole]
    return [whole, replace(flips[-1], level=worst.level if flips[-1].state == "found" else None)]


def _during(changes: Sequence[Change], known: Change, seen: Change, day: str, looked: Looked) -> tuple[Change, ...]:
    """A look while a quirk comes and goes; it may be the end of that."""
    now = replace(
        known,
        level=min(known.level, seen.level or known.level, key=_rank),
        found=max(known.found, day) if seen.state == "found" else known.found,
        missed=max(known.missed, day) if seen.state == "ok" else known.missed,
    )
    other = known.missed if seen.state == "found" else known.found
    changed = [now if one is known else one for one in changes]
    if changes[-1] is known and day >= _shifted(other, WINDOW * _DAY):
        level = now.level if seen.state == "found" else None
        changed.append(replace(seen, day=min(looked.after(other) or day, day), level=level))
    return tuple(changed)


def _longer(one: Change, other: Change) -> Change:
    level = min(one.level, other.level, key=_rank)
    return replace(one, level=level, found=max(one.found, other.found), missed=max(one.missed, other.missed))


def _rank(level: Level | None) -> int:
    return len(LEVELS) if level is None else LEVELS.index(level)


def _shifted(day: str, by: timedelta) -> str:
    try:
        return (date.fromisoformat(day) + by).isoformat()
    except OverflowError:
        return day
