"""What others know about a provider: recordings that they published, and what they report. Pure, and never counted.

Three kinds of evidence stand side by side in the matrix. *Recorded* is ours and alone decides about states, verdicts
and exit codes. *Published* are observations (`conformance.audit.observation`): facts about recordings that another
project keeps. *Reported* is what a document or an issue says; nobody here holds the bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from conformance.model import LEVELS, Level
from conformance.quirks.registry import catalogue
from conformance.run.rows import ExpectationRow

if TYPE_CHECKING:
    from conformance.audit.observation import Observation

_GITHUB: Final = "https://github.com/"
_FIELDS: Final = (
    *("provider", "model", "mode", "repository", "commit", "licence", "quirk", "level", "occurrences", "applicable"),
    *("first", "last", "path", "interaction"),
)


class Kind(Enum):
    """Evidence that is not ours: a name, its symbol, and what it means."""

    SHOWN = ("published", "◆", "found in recordings that other projects published")
    CLEAR = ("published, not found", "◇", "not found in published recordings that could have shown it")
    REPORTED = ("reported", "¶", "a document or an issue says so; the bytes are not at hand")

    def __init__(self, label: str, symbol: str, meaning: str) -> None:
        self.label = label
        self.symbol = symbol
        self.meaning = meaning


@dataclass(frozen=True, slots=True)
class Published:
    """A quirk in the published recordings of a row.

    Attributes:
        occurrences: exchanges in which it was found.
        applicable: exchanges that could show it, those included.
        level: the gravest level found; `info` if nothing was.
        shown: the observations that show it, gravest first, then those with most occurrences.
    """

    occurrences: int
    applicable: int
    level: Level
    shown: tuple[Observation, ...]

    @property
    def kind(self) -> Kind:
        """Whether it was found."""
        return Kind.SHOWN if self.occurrences else Kind.CLEAR

    @property
    def count(self) -> str:
        """`n/m`, as for our own recordings."""
        return f"{self.occurrences}/{self.applicable}"


@dataclass(frozen=True, slots=True)
class Report:
    """Somebody says that a provider has a quirk; `url`, `date` and `says` are empty where there is nothing to add."""

    title: str
    url: str
    date: str
    says: str


@dataclass(frozen=True, slots=True)
class Repository:
    """Published recordings of a row out of one commit of one repository; fields as in `Publication`."""

    name: str
    commit: str
    licence: str
    exchanges: int
    models: tuple[str, ...]
    days: tuple[str, ...]

    @property
    def url(self) -> str:
        """The repository on GitHub, at that commit."""
        return f"{_GITHUB}{_part(self.name)}/tree/{_part(self.commit)}"


@dataclass(frozen=True, slots=True)
class Publication:
    """All published recordings of a row.

    Attributes:
        exchanges: how many; of each mode and repository as many as could show the quirk that most could show.
        models: as asked for, sorted; models that show no quirk at all are not named by observations.
        days: first and last day of recording; empty if unknown.
        repositories: by name, commit and licence.
    """

    exchanges: int
    models: tuple[str, ...]
    days: tuple[str, ...]
    repositories: tuple[Repository, ...]


def distinct(observations: Iterable[Observation]) -> tuple[Observation, ...]:
    """Equal observations once, in an order that does not depend on the order they came in."""
    keyed = {tuple(str(one[field]) for field in _FIELDS): one for one in observations}
    return tuple(one for _, one in sorted(keyed.items()))


def assign(
    observations: Iterable[Observation], rows: Collection[tuple[str, str]]
) -> dict[tuple[str, str], list[Observation]]:
    """Which row each observation belongs to.

    A provider's only row takes all of them: a row is a provider, and the evidence names the model. A provider whose
    models have rows of their own gets a further row, whose model is `""`: an observation counts models together that
    do not show a quirk, so that it belongs to none of them.

    Args:
        observations: distinct ones.
        rows: provider and model of the rows that records give.
    """
    models: dict[str, list[str]] = {}
    for provider, model in rows:
        models.setdefault(provider, []).append(model)
    assigned: dict[tuple[str, str], list[Observation]] = {}
    for one in observations:
        known = models.get(one["provider"], [])
        assigned.setdefault((one["provider"], known[0] if len(known) == 1 else ""), []).append(one)
    return assigned


def publication(observations: Sequence[Observation]) -> Publication | None:
    """What the observations of one row are made from; None without any."""
    if not observations:
        return None
    groups: dict[tuple[str, str, str], list[Observation]] = {}
    for one in observations:
        groups.setdefault((one["repository"], one["commit"], one["licence"]), []).append(one)
    repositories = tuple(
        Repository(*key, _exchanges(group), _models(group), _days(group)) for key, group in sorted(groups.items())
    )
    return Publication(
        sum(one.exchanges for one in repositories), _models(observations), _days(observations), repositories
    )


def published(observations: Iterable[Observation]) -> dict[str, Published]:
    """The observations of one row, added up by quirk."""
    by_quirk: dict[str, list[Observation]] = {}
    for one in observations:
        by_quirk.setdefault(one["quirk"], []).append(one)
    return {slug: _added(group) for slug, group in by_quirk.items()}


def reports(provider: str, slug: str, expectations: Iterable[ExpectationRow], *, recorded: bool) -> tuple[Report, ...]:
    """Who says that a provider has a quirk.

    Args:
        provider: its name.
        slug: of the quirk.
        expectations: those of the provider that cover the quirk. A pattern names no quirk, and what our own recordings
            show needs nobody's word, so neither is a report.
        recorded: our own recordings show it.
    """
    expected = [_expected(one) for one in expectations if one["quirk"] == slug and not recorded]
    return (*_sightings().get(provider, {}).get(slug, ()), *expected)


def sighted() -> frozenset[str]:
    """Providers that the catalogue has a report about."""
    return frozenset(_sightings())


def url(one: Observation) -> str:
    """The file that an observation is about, on GitHub, at its commit."""
    return f"{_GITHUB}{_part(one['repository'])}/blob/{_part(one['commit'])}/{_part(one['path'])}"


def _part(text: str) -> str:
    # halves of surrogate pairs cannot stand in an address
    return quote(text, errors="replace")


@cache
def _sightings() -> Mapping[str, Mapping[str, tuple[Report, ...]]]:
    found: dict[str, dict[str, tuple[Report, ...]]] = {}
    for quirk in catalogue():
        for source in quirk.seen:
            if source.provider:
                mine = found.setdefault(source.provider, {})
                report = Report(source.title, source.url, source.date, "")
                mine[quirk.slug] = (*mine.get(quirk.slug, ()), report)
    return found


def _expected(one: ExpectationRow) -> Report:
    address = one["source"].split(" ", 1)[0]
    link = address if address.startswith(("https://", "http://")) else ""
    return Report(one["source"], link, "", one["reason"])


def _added(group: Sequence[Observation]) -> Published:
    shown = sorted(
        (one for one in group if one["occurrences"]),
        key=lambda one: (LEVELS.index(one["level"]), -one["occurrences"]),
    )
    return Published(
        occurrences=sum(one["occurrences"] for one in group),
        applicable=sum(one["applicable"] for one in group),
        level=shown[0]["level"] if shown else "info",
        shown=tuple(shown),
    )


def _exchanges(observations: Iterable[Observation]) -> int:
    # added up over the models, lines count the exchanges that could show a quirk; some quirks can show in any exchange
    most: dict[tuple[str, ...], Counter[str]] = {}
    for one in observations:
        group = (one["mode"], one["repository"], one["commit"], one["licence"])
        most.setdefault(group, Counter())[one["quirk"]] += one["applicable"]
    return sum(max(by_quirk.values()) for by_quirk in most.values())


def _models(observations: Iterable[Observation]) -> tuple[str, ...]:
    return tuple(sorted({one["model"] for one in observations if one["model"]}))


def _days(observations: Iterable[Observation]) -> tuple[str, ...]:
    days = sorted({day for one in observations for day in (one["first"], one["last"]) if day})
    return (days[0], days[-1]) if days else ()
