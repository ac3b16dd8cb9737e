"""What can change between two nights, and what came of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from conformance.diff.night import Night, Seen
from conformance.model import Level

SCHEMA: Final = "conformance/changes/1"
"""Names the format of the document; a later format counts on."""


class Kind(Enum):
    """How a cell changed: a name, the name seen from the other side, and what it means. The most telling first."""

    APPEARED = ("appeared", "gone", "found now, and not found before where it could have been")
    GONE = ("gone", "appeared", "not found now where it could have been; found before, and that is no chance")
    NOT_SEEN = ("not-seen", "appeared", "not found now where it could have been, which may be chance; found before")
    STALE = ("stale", "no-longer-stale", "an expectation is disproved, or found more often than it says")
    NO_LONGER_STALE = ("no-longer-stale", "stale", "an expectation holds again, or was taken out")
    NO_LONGER_EXPECTED = (
        "no-longer-expected",
        "now-expected",
        "found before as well, and no expectation covers it now",
    )
    NOW_EXPECTED = ("now-expected", "no-longer-expected", "found before as well, and an expectation covers it now")
    GRAVER = ("graver", "milder", "found at a graver level")
    MILDER = ("milder", "graver", "found at a milder level")
    MORE_OFTEN = ("more-often", "less-often", "found significantly more often")
    LESS_OFTEN = ("less-often", "more-often", "found significantly less often")
    NEW_ONLY = ("new-only", "old-only", "found now; before, nothing was there that could have shown it")
    OLD_ONLY = ("old-only", "new-only", "found before; now nothing is there that could show it")
    COUNT = ("count", "count", "found about as often")

    def __init__(self, slug: str, mirrored: str, meaning: str) -> None:
        self.slug = slug
        self.mirrored = mirrored
        self.meaning = meaning


class RowKind(Enum):
    """How the measuring of a provider's model changed; fields as in `Kind`, and whether that is red."""

    NOT_RUNNING = ("not-running", "running-again", "ran before, and could not be run now", True)
    RUNNING_AGAIN = ("running-again", "not-running", "could not be run before, and ran now", False)
    PARTLY_NOT_RUNNING = ("partly-not-running", "whole-again", "scenarios that ran before could not be run now", True)
    WHOLE_AGAIN = ("whole-again", "partly-not-running", "scenarios that could not be run before ran now", False)
    RECORDING_LOST = ("recording-lost", "newly-recorded", "was recorded before, and has no recording now", True)
    NEWLY_RECORDED = ("newly-recorded", "recording-lost", "had no recording before", False)
    ADDED = ("added", "left-out", "was not asked before", False)
    LEFT_OUT = ("left-out", "added", "was asked before, and is not asked now", False)

    def __init__(self, slug: str, mirrored: str, meaning: str, red: bool) -> None:
        self.slug = slug
        self.mirrored = mirrored
        self.meaning = meaning
        self.red = red


@dataclass(frozen=True, slots=True)
class CellChange:
    """A cell that changed.

    Attributes:
        provider, model, quirk: which.
        kinds: how, the most telling first.
        old, new: what both sides say; None on a side that did not look for the quirk, or measured nothing of the row.
        unexpected: NEW has something red in it that OLD had not, or has it graver or more often.
        resolved: something that was red in OLD is no longer, NEW could have shown it, and its silence is no chance.
        why: for `new-only` and `old-only` why the other side tells nothing; else empty.
        varies: since which day (ISO 8601) it comes and goes, if a history says so; else empty.
        p: how likely counts this different are by chance (`conformance.statistics.fisher`); None if not comparable.
    """

    provider: str
    model: str
    quirk: str
    kinds: tuple[Kind, ...]
    old: Seen | None
    new: Seen | None
    unexpected: bool
    resolved: bool
    why: str
    varies: str
    p: float | None

    @property
    def tells(self) -> Seen:
        """The side to quote: the new one if it found something, else the old one."""
        if self.new is not None and (self.new.found or self.old is None or not self.old.found):
            return self.new
        assert self.old is not None
        return self.old

    @property
    def level(self) -> Level:
        """The gravest level found on that side; else the quirk's own."""
        return self.tells.level

    @property
    def covered(self) -> bool:
        """Whether NEW found it and expectations cover all of it."""
        return self.new is not None and self.new.found and self.new.unexpected_level is None


@dataclass(frozen=True, slots=True)
class RowChange:
    """A provider's model that is measured on one side only, or less than on the other.

    Attributes:
        provider, model: which.
        kind: how.
        why: what NEW (or OLD, where it is NEW that measured) says about it; may be empty.
        scenarios: `scenario/mode`, where only these are meant.
        found: quirks of level `must` and `should` that the side that measured found, where the other measured nothing.
    """

    provider: str
    model: str
    kind: RowKind
    why: str
    scenarios: tuple[str, ...]
    found: tuple[str, ...]

    @property
    def unexpected(self) -> bool:
        """Whether it makes the comparison red: something can no longer be measured."""
        return self.kind.red

    @property
    def resolved(self) -> bool:
        """Whether it ends such a state."""
        return self.kind in (RowKind.RUNNING_AGAIN, RowKind.WHOLE_AGAIN)


@dataclass(frozen=True, slots=True)
class Diff:
    """What changed.

    Attributes:
        old, new: the two sides.
        strict: findings of level `should` count.
        rows: providers' models whose measuring changed.
        cells: cells that changed, unexpected ones first.
        compared: cells that both sides could tell something about; of them `tested` had counts that could differ.
        notes: what the sides do not share: versions, quirks, scenarios.
    """

    old: Night
    new: Night
    strict: bool
    rows: tuple[RowChange, ...]
    cells: tuple[CellChange, ...]
    compared: int
    tested: int
    notes: tuple[str, ...]

    @property
    def listed(self) -> tuple[CellChange, ...]:
        """Without those that are only counted differently."""
        return tuple(one for one in self.cells if one.kinds != (Kind.COUNT,))

    @property
    def unexpected(self) -> int:
        """How many changes are."""
        changes: Sequence[CellChange | RowChange] = (*self.cells, *self.rows)
        return sum(one.unexpected for one in changes)

    @property
    def exit_code(self) -> int:
        """DESIGN §6.3: 1 an unexpected change, 5 nothing that could be compared, else 0."""
        return 1 if self.unexpected else 0 if self.compared else 5
