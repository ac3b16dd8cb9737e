"""What two nights do not share, so that not everything that differs is a provider's doing. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from conformance.diff.night import Night

NAMED: Final = 10
"""Quirks, scenarios and versions named in one sentence."""


def notes(old: Night, new: Night) -> tuple[str, ...]:
    """Sentences about versions, quirks and scenarios of one side only."""
    found = []
    then, now = (set(one.versions) for one in (old, new))
    if then != now:
        found.append(f"Measured with other versions: OLD {_names(then - now)}; NEW {_names(now - then)}.")
    for name, mine, theirs in (("OLD", old, new), ("NEW", new, old)):
        if quirks := set(mine.quirks) - set(theirs.quirks):
            found.append(f"Only {name} looked for {_names(quirks)}.")
        if any(row.judged and row.scenarios is None for row in mine.rows.values()):
            found.append(f"{name} does not tell which scenarios it asked; its counts are of all.")
        if scenarios := _only(mine, theirs):
            found.append(f"Only {name} asked {_names(scenarios)}.")
    if old.recorded_at and old.recorded_at == new.recorded_at and then != now:
        found.append(f"Both are of recordings of {old.days}: what differs may be the reading, not the provider.")
    return tuple(found)


def _only(mine: Night, theirs: Night) -> set[str]:
    """Scenarios that one side asked some provider that both measured, and the other side asked none of them."""
    shared = [key for key, row in mine.rows.items() if row.judged and key in theirs.rows and theirs.rows[key].judged]
    asked, known = (
        [{*(row.scenarios or ()), *row.missing} for row in (night.rows[key] for key in shared)]
        for night in (mine, theirs)
    )
    if any(theirs.rows[key].scenarios is None for key in shared):
        return set()
    return set[str]().union(*asked) - set[str]().union(*known)


def _names(names: Iterable[str], most: int = NAMED) -> str:
    ordered = sorted(names)
    more = f" and {len(ordered) - most} more" if len(ordered) > most else ""
    return ", ".join(ordered[:most]) + more if ordered else "none"
