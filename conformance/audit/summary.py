"""What an audit found, in the order people read it: groups by name, quirks by gravity and by how often they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from conformance.audit.tally import Found, Group, Key, Seen, Tally
from conformance.model import LEVELS, Level
from conformance.quirks.registry import catalogue


@dataclass(frozen=True, slots=True)
class Entry:
    """One quirk in one group; `found` is None where it does not show."""

    quirk: str
    level: Level
    applicable: Seen
    found: Found | None

    @property
    def occurrences(self) -> int:
        """Exchanges in which it shows."""
        return self.found.seen.count if self.found is not None else 0

    @property
    def count(self) -> str:
        """`n/m`."""
        return f"{self.occurrences}/{self.applicable.count}"


@dataclass(frozen=True, slots=True)
class Line:
    """One group: its labels, its counts, and an entry for each quirk it could show."""

    labels: Key
    group: Group
    entries: Mapping[str, Entry]

    @property
    def name(self) -> str:
        """Its labels, in words."""
        return " ".join(label or "unknown" for label in self.labels)

    def found(self, level: Level) -> int:
        """How many quirks of a level it shows."""
        return sum(entry.level == level and entry.found is not None for entry in self.entries.values())


@dataclass(frozen=True, slots=True)
class Summary:
    """An audit, ready to be shown.

    Attributes:
        by: the labels that make a group.
        lines: groups by name.
        quirks: those that were found, gravest first, then by how many exchanges show them; with the gravest level.
        tally: everything that was counted.
    """

    by: Sequence[str]
    lines: Sequence[Line]
    quirks: Sequence[tuple[str, Level]]
    tally: Tally


def summarise(tally: Tally, by: Sequence[str]) -> Summary:
    """Sort a tally."""
    order = {quirk.slug: quirk for quirk in catalogue()}
    lines = []
    for labels in sorted(tally.groups):
        group = tally.groups[labels]
        able = group.applicable()
        entries = {}
        for slug in sorted(able):
            found = group.found.get(slug)
            level = found.level if found is not None else order[slug].level
            entries[slug] = Entry(slug, level, able[slug], found)
        lines.append(Line(labels, group, entries))
    shown: dict[str, tuple[Level, int]] = {}
    for line in lines:
        for entry in line.entries.values():
            if entry.found is not None:
                level, count = shown.get(entry.quirk, (entry.level, 0))
                shown[entry.quirk] = min(level, entry.level, key=LEVELS.index), count + entry.occurrences
    ranked = sorted(shown, key=lambda slug: (LEVELS.index(shown[slug][0]), -shown[slug][1], slug))
    return Summary(tuple(by), tuple(lines), tuple((slug, shown[slug][0]) for slug in ranked), tally)
