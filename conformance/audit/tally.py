"""Counts that can be added up in any order: what makes an audit independent of workers and of the order of files.

Checks of one kind of exchange apply together, so exchanges are counted by the *set* of quirks they could show, not once
per quirk: adding an exchange costs the same however many quirks there are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from conformance.model import LEVELS, Finding, Layer, Level, Where
from conformance.quirks import Verdict
from conformance.wire.transcript import Transcript

Key = tuple[str, ...]
"""What a group is: the values of the labels asked for, in their order."""

NAMED: Final = 50
"""Files named among those that could not be read; all are counted."""

Place = tuple[str, int]
"""File, and position of the exchange in it."""

_DIGITS: Final = re.compile(r"([0-9]{1,18})")
_NOWHERE: Final = Where(None, None)


@dataclass(slots=True)
class Seen:
    """Exchanges that have something in common.

    Attributes:
        count: how many.
        first, last: days on which the oldest and the newest were recorded; empty if unknown.
        place: the first of them, by file and position.
    """

    count: int = 0
    first: str = ""
    last: str = ""
    place: Place | None = None

    def add(self, count: int, first: str, last: str, place: Place | None) -> None:
        """Count more of them."""
        self.count += count
        if first and (not self.first or first < self.first):
            self.first = first
        self.last = max(self.last, last)
        if place is not None and (self.place is None or place < self.place):
            self.place = place

    def merge(self, other: Seen) -> None:
        """Count what another counted."""
        self.add(other.count, other.first, other.last, other.place)


@dataclass(slots=True)
class Found:
    """Occurrences of one quirk in one group.

    Attributes:
        seen: the exchanges that show it.
        findings: how many findings that makes.
        level: the gravest of them.
        layers: who is to blame, and how often.
        where: its place in the exchange named by `seen.place`.
    """

    seen: Seen = field(default_factory=Seen)
    findings: int = 0
    level: Level = "info"
    layers: Counter[Layer] = field(default_factory=Counter)
    where: Where = _NOWHERE

    def add(self, findings: list[Finding], day: str, place: Place) -> None:
        """Count one exchange that shows it."""
        if self.seen.place is None or place < self.seen.place:
            self.where = findings[0].where
        self.seen.add(1, day, day, place)
        self.findings += len(findings)
        self.level = min(self.level, *(one.level for one in findings), key=LEVELS.index)
        self.layers.update(one.layer for one in findings)

    def merge(self, other: Found) -> None:
        """Count what another counted."""
        if self.seen.place is None or (other.seen.place is not None and other.seen.place < self.seen.place):
            self.where = other.where
        self.seen.merge(other.seen)
        self.findings += other.findings
        self.level = min(self.level, other.level, key=LEVELS.index)
        self.layers.update(other.layers)


@dataclass(slots=True)
class Group:
    """Everything about the exchanges with one set of labels.

    Attributes:
        seen: all of them.
        able: exchanges by the quirks they could show.
        found: by quirk.
        complete: answers that came to their end.
        with_calls: answers with at least one call.
        calls, usable: calls, and those fit to be run.
    """

    seen: Seen = field(default_factory=Seen)
    able: dict[frozenset[str], Seen] = field(default_factory=dict)
    found: dict[str, Found] = field(default_factory=dict)
    complete: int = 0
    with_calls: int = 0
    calls: int = 0
    usable: int = 0

    def add(self, transcript: Transcript, verdict: Verdict, day: str, place: Place) -> None:
        """Count one exchange."""
        self.seen.add(1, day, day, place)
        self.able.setdefault(verdict.applicable, Seen()).add(1, day, day, place)
        calls = transcript.calls
        self.complete += transcript.complete
        self.with_calls += bool(calls)
        self.calls += len(calls)
        self.usable += sum(call.usable for call in calls)
        by_quirk: dict[str, list[Finding]] = {}
        for finding in verdict.findings:
            by_quirk.setdefault(finding.quirk, []).append(finding)
        for slug, findings in by_quirk.items():
            self.found.setdefault(slug, Found()).add(findings, day, place)

    def merge(self, other: Group) -> None:
        """Count what another counted."""
        self.seen.merge(other.seen)
        for quirks, seen in other.able.items():
            self.able.setdefault(quirks, Seen()).merge(seen)
        for slug, found in other.found.items():
            self.found.setdefault(slug, Found()).merge(found)
        self.complete += other.complete
        self.with_calls += other.with_calls
        self.calls += other.calls
        self.usable += other.usable

    def applicable(self) -> dict[str, Seen]:
        """Exchanges that could show each quirk."""
        able: dict[str, Seen] = {}
        for quirks, seen in self.able.items():
            for slug in quirks:
                able.setdefault(slug, Seen()).merge(seen)
        return able


@dataclass(slots=True)
class Tally:
    """What an audit knows so far.

    Attributes:
        groups: by labels.
        files: files read, those that could not be among them.
        exchanges: exchanges judged.
        size: bytes of their bodies.
        left_out: exchanges that were not counted, by reason.
        bad: how many files, or parts of files, could not be read.
        given_bad: how many of them were in files that somebody named, not found in a folder.
        problems: the first `NAMED` of their sentences, in order.
    """

    groups: dict[Key, Group] = field(default_factory=dict)
    files: int = 0
    exchanges: int = 0
    size: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    bad: int = 0
    given_bad: int = 0
    problems: list[str] = field(default_factory=list)

    def add(self, key: Key, transcript: Transcript, verdict: Verdict, day: str, place: Place) -> None:
        """Count one exchange."""
        self.exchanges += 1
        self.size += len(transcript.exchange.body)
        self.groups.setdefault(key, Group()).add(transcript, verdict, day, place)

    def problem(self, sentence: str, *, given: bool) -> None:
        """Count and name what could not be read; `given`: somebody named the file."""
        self.bad += 1
        self.given_bad += given
        self._name([sentence])

    def merge(self, other: Tally) -> None:
        """Count what another counted; the order in which tallies are merged does not matter."""
        for key, group in other.groups.items():
            self.groups.setdefault(key, Group()).merge(group)
        self.files += other.files
        self.exchanges += other.exchanges
        self.size += other.size
        self.left_out.update(other.left_out)
        self.bad += other.bad
        self.given_bad += other.given_bad
        self._name(other.problems)

    def levels(self) -> Iterator[Level]:
        """The gravest level of each quirk found in each group."""
        for group in self.groups.values():
            for found in group.found.values():
                yield found.level

    def _name(self, sentences: list[str]) -> None:
        if sentences:
            self.problems = sorted({*self.problems, *sentences}, key=_natural)[:NAMED]


def _natural(text: str) -> tuple[list[str | int], str]:
    """Sort key by which `file#9` comes before `file#10`."""
    parts = _DIGITS.split(text)
    return [int(part) if number % 2 else part for number, part in enumerate(parts)], text
