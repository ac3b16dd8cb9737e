"""What `quirks.json` knows of each provider: the quirks with evidence, of which kind, and in which mode. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from conformance.model import Level, Mode
from conformance.report.form import Form
from conformance.report.grid import MODES

Kind = Literal["recorded", "published", "reported"]
KINDS: Final[tuple[Kind, ...]] = ("recorded", "published", "reported")
"""Kinds of evidence: bytes of ours, bytes of others, somebody's word."""


@dataclass(frozen=True, slots=True)
class Count:
    """Exchanges that show a quirk, out of those that could."""

    occurrences: int
    applicable: int

    def __str__(self) -> str:
        return f"{self.occurrences}/{self.applicable}"


@dataclass(frozen=True, slots=True)
class Sighting:
    """A form in which a provider was seen to have a quirk, as far as it is known.

    Attributes:
        kind: of evidence.
        mode: of the answer; None where nobody says, as in reports.
        level: of the finding; None where nobody says.
        form: of the answer; None where its bytes were not looked at here.
    """

    kind: Kind
    mode: Mode | None
    level: Level | None
    form: Form | None


@dataclass(frozen=True, slots=True)
class Proof:
    """The evidence that a provider has a quirk.

    Attributes:
        quirk: its slug.
        recorded, published: how often; None where no recording shows it.
        reported: how many sources say so.
        unseen: exchanges that could show it, recorded here or published, where none of them does.
        modes: in which answers; a report does not say, so that it means both.
        sightings: the forms in which it was seen, the strongest kind first.
    """

    quirk: str
    recorded: Count | None
    published: Count | None
    reported: int
    unseen: int
    modes: frozenset[Mode]
    sightings: tuple[Sighting, ...]

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Of which kinds it is, the strongest first."""
        there = (self.recorded is not None, self.published is not None, bool(self.reported))
        return tuple(kind for kind, holds in zip(KINDS, there, strict=True) if holds)

    @property
    def share(self) -> float:
        """The share of exchanges that show it, by the strongest kind; 0 if only reports say so."""
        count = self.recorded or self.published
        return count.occurrences / count.applicable if count is not None else 0.0


@dataclass(frozen=True, slots=True)
class Provider:
    """One model of a provider.

    Attributes:
        name, model: as in the matrix.
        label: its name in tables: the model is added where there are several.
        judged: exchanges recorded here.
        published: exchanges that others published.
        proofs: by quirk; only quirks with evidence.
    """

    name: str
    model: str
    label: str
    judged: int
    published: int
    proofs: Mapping[str, Proof]

    @property
    def known(self) -> bool:
        """Whether anything was looked at or reported."""
        return bool(self.judged or self.published or self.proofs)


def known(matrix: Mapping[str, Any]) -> list[Provider]:
    """The providers of a matrix, in its order.

    Args:
        matrix: a `quirks.json` (`matrix.schema.json`).
    """
    rows = matrix["rows"]
    several = {name for name, count in Counter(row["provider"] for row in rows).items() if count > 1}
    return [_provider(row, several) for row in rows]


def _provider(row: Mapping[str, Any], several: Collection[str]) -> Provider:
    name, model = row["provider"], row["model"]
    proofs = (_proof(row, cell) for cell in row["cells"])
    return Provider(
        name,
        model,
        f"{name} {model or '(published)'}" if name in several else name,
        sum(tally["judged"] for tally in row["exchanges"].values()),
        row["published"]["exchanges"] if row["published"] else 0,
        {proof.quirk: proof for proof in proofs if proof.kinds},
    )


def _proof(row: Mapping[str, Any], cell: Mapping[str, Any]) -> Proof:
    theirs = cell["published"] or {"occurrences": 0, "applicable": 0, "observations": []}
    recorded = Count(cell["occurrences"], cell["applicable"]) if cell["occurrences"] else None
    published = Count(theirs["occurrences"], theirs["applicable"]) if theirs["occurrences"] else None
    seen = dict.fromkeys([*_recorded(row, cell), *_published(theirs), *_reported(cell)])
    modes = frozenset(mode for one in seen for mode in (MODES if one.mode is None else (one.mode,)))
    unseen = 0 if recorded or published else cell["applicable"] + theirs["applicable"]
    return Proof(cell["quirk"], recorded, published, len(cell["reported"]), unseen, modes, tuple(seen))


def _recorded(row: Mapping[str, Any], cell: Mapping[str, Any]) -> Iterator[Sighting]:
    if not cell["occurrences"]:
        return
    forms = [Form.read(one) for one in cell.get("forms", ())]  # an older document has none
    yield from (Sighting("recorded", one.mode, one.level, one) for one in forms)
    if not forms:
        yield from (Sighting("recorded", mode, None, None) for mode in sorted(_recorded_in(row, cell)))


def _published(theirs: Mapping[str, Any]) -> Iterator[Sighting]:
    for one in theirs["observations"]:
        yield Sighting("published", one["mode"], one.get("level"), None)


def _reported(cell: Mapping[str, Any]) -> Iterator[Sighting]:
    if cell["reported"]:
        yield Sighting("reported", None, None, None)


def _recorded_in(row: Mapping[str, Any], cell: Mapping[str, Any]) -> set[Mode]:
    """The modes in which recordings show it: by the counts, which hold all; else by the findings listed."""
    if cell.get("found_in") is not None:
        counts = row["counts"][cell["found_in"]]
        return {place.rpartition("/")[2] for place, count in zip(row["scenarios"], counts, strict=True) if count}
    if cell["findings"] > len(cell["evidence"]):
        return set(MODES)
    return {one["mode"] for one in cell["evidence"]}
