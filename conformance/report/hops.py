"""Which hop? What a provider shows when asked straight, beside what it shows through a gateway. Pure.

Exchanges are paired by scenario, mode, step and repetition; only pairs of which both were judged are compared. A quirk
counts as the gateway's doing only where both exchanges of a pair could have shown it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from conformance.model import LEVELS, Layer, Level
from conformance.report.grid import place
from conformance.report.text import plural
from conformance.run.record import Record
from conformance.run.rows import ExchangeRow, FindingRow

_Key = tuple[str, str, int, int]


class Change(Enum):
    """What a gateway makes of a quirk: a name, and what it means. What matters most comes first."""

    ADDED = ("added", "found through the gateway only")
    HID = ("hid", "found straight only")
    CHANGED = ("changed", "found on both ways, but in other exchanges or at another level")
    MODEL = ("model", "differs, but is the model's doing: it may have answered otherwise")
    UNDECIDED = ("undecided", "found on one way, in exchanges whose partner could not have shown it")
    SAME = ("same", "found in the same exchanges on both ways")

    def __init__(self, word: str, meaning: str) -> None:
        self.word = word
        self.meaning = meaning


QUIET: Final = (Change.UNDECIDED, Change.SAME)
"""Changes that say nothing about the gateway."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to the model: pairs in which a quirk was found, out of those that could show it."""

    occurrences: int
    applicable: int

    @property
    def count(self) -> str:
        """`n/m`; nothing where no exchange could show it."""
        return f"{self.occurrences}/{self.applicable}" if self.applicable else ""


@dataclass(frozen=True, slots=True)
class Compared:
    """A quirk that was found on one way at least; `level` and `layer` are those of its gravest finding."""

    slug: str
    level: Level
    layer: Layer
    straight: Way
    through: Way
    change: Change


@dataclass(frozen=True, slots=True)
class Unpaired:
    """Exchanges that are not compared, for one reason."""

    why: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hop:
    """A gateway in front of a provider.

    Attributes:
        upstream, gateway: names of the provider, and of the gateway whose answers come from it.
        models: what they were asked for, in this order.
        pairs: how many pairs of exchanges are compared.
        quirks: those that were found, what the gateway did first, then by level and slug.
        unpaired: what is not compared.
    """

    upstream: str
    gateway: str
    models: tuple[str, str]
    pairs: int
    quirks: tuple[Compared, ...]
    unpaired: tuple[Unpaired, ...]

    @property
    def title(self) -> str:
        """How it is called."""
        return f"{self.upstream} through {self.gateway}"

    @property
    def summary(self) -> str:
        """What came out, in one sentence."""
        if not self.pairs:
            return "No exchange is compared: none was judged on both ways."
        done = [(change, sum(one.change is change for one in self.quirks)) for change in Change]
        said = ", ".join(f"{count} {change.word}" for change, count in done if count) or "no quirk on either way"
        return f"{plural(self.pairs, 'exchange')} compared: {said}."

    @property
    def legend(self) -> str:
        """What the words for changes mean, as far as they occur."""
        there = {one.change for one in self.quirks}
        return "; ".join(f"{change.word}: {change.meaning}" for change in Change if change in there)


def hops(records: Iterable[Record], exchanges: Sequence[ExchangeRow]) -> tuple[Hop, ...]:
    """Compare both ways wherever a run asked for it.

    Args:
        records: whose headers name gateways.
        exchanges: what all records say together.
    """
    asked: dict[tuple[str, str, str, str], None] = {}
    for record in records:
        models = {provider["name"]: provider["models"] for provider in record.header["providers"]}
        for gateway, upstream in record.header.get("via", {}).items():
            for one in models.get(upstream, ()):
                asked.update({(upstream, one, gateway, other): None for other in models.get(gateway, ())})
    by_row: dict[tuple[str, str], list[ExchangeRow]] = {}
    for row in exchanges:
        by_row.setdefault((row["provider"], row["model"]), []).append(row)
    return tuple(
        _hop(upstream, gateway, (one, other), by_row.get((upstream, one), ()), by_row.get((gateway, other), ()))
        for upstream, one, gateway, other in sorted(asked)
    )


def _hop(
    upstream: str,
    gateway: str,
    models: tuple[str, str],
    straight: Iterable[ExchangeRow],
    through: Iterable[ExchangeRow],
) -> Hop:
    here = {_key(row): row for row in straight}
    there = {_key(row): row for row in through}
    judged = [key for key in here if key in there and not here[key]["not_run"] and not there[key]["not_run"]]
    pairs = [(here[key], there[key]) for key in judged]
    slugs = {finding["quirk"] for pair in pairs for row in pair for finding in row["findings"]}
    found = [_compared(slug, pairs) for slug in slugs]
    found.sort(key=lambda one: (list(Change).index(one.change), LEVELS.index(one.level), one.slug))
    left = {key: row for key, row in {**there, **here}.items() if key not in set(judged)}
    return Hop(upstream, gateway, models, len(pairs), tuple(found), _unpaired(left, here, there, upstream, gateway))


def _compared(slug: str, pairs: Iterable[tuple[ExchangeRow, ExchangeRow]]) -> Compared:
    straight: list[list[FindingRow]] = []
    through: list[list[FindingRow]] = []
    could: list[tuple[bool, bool]] = []
    for pair in pairs:
        one, other = ([f for f in row["findings"] if f["quirk"] == slug] for row in pair)
        straight.append(one)
        through.append(other)
        could.append((bool(one) or slug in pair[0]["applicable"], bool(other) or slug in pair[1]["applicable"]))
    both = [(a, b) for a, b, able in zip(straight, through, could, strict=True) if all(able)]
    gravest = min(
        (finding for findings in (*straight, *through) for finding in findings),
        key=lambda finding: LEVELS.index(finding["level"]),
    )
    return Compared(
        slug=slug,
        level=gravest["level"],
        layer=gravest["layer"],
        straight=Way(sum(map(bool, straight)), sum(a for a, _ in could)),
        through=Way(sum(map(bool, through)), sum(b for _, b in could)),
        change=_change(both, gravest["layer"]),
    )


def _change(pairs: Sequence[tuple[list[FindingRow], list[FindingRow]]], layer: Layer) -> Change:
    """What a gateway did, from pairs that could show the quirk on both ways."""
    added = any(through and not straight for straight, through in pairs)
    hid = any(straight and not through for straight, through in pairs)
    shared = [(straight, through) for straight, through in pairs if straight and through]
    if not added and not hid and not shared:
        return Change.UNDECIDED
    if not added and not hid and all(_gravity(straight) == _gravity(through) for straight, through in shared):
        return Change.SAME
    if layer == "model":
        return Change.MODEL
    if added and not hid and not shared:
        return Change.ADDED
    return Change.HID if hid and not added and not shared else Change.CHANGED


def _gravity(findings: Iterable[FindingRow]) -> int:
    return min(LEVELS.index(finding["level"]) for finding in findings)


def _unpaired(
    left: Mapping[_Key, ExchangeRow],
    here: Mapping[_Key, ExchangeRow],
    there: Mapping[_Key, ExchangeRow],
    upstream: str,
    gateway: str,
) -> tuple[Unpaired, ...]:
    reasons: dict[str, list[str]] = {}
    for key in sorted(left):
        lacking = [
            f"{name} {f'not run: {why}' if (why := _why(side.get(key))) else 'not asked'}"
            for name, side in ((upstream, here), (gateway, there))
            if key not in side or side[key]["not_run"]
        ]
        reasons.setdefault(", ".join(lacking), []).append(place(left[key]))
    return tuple(Unpaired(why, tuple(places)) for why, places in reasons.items())


def _why(row: ExchangeRow | None) -> str:
    return row["not_run"]["reason"] if row is not None and row["not_run"] else ""


def _key(row: ExchangeRow) -> _Key:
    return row["scenario"], row["mode"], row["step"], row["sample"]
