"""Match expectations with what was found: pure functions (DESIGN §4.7).

An expected quirk still runs. Found is green, not expected is red, and an expectation that enough applicable exchanges
disprove is red as well, so that the table never rots. So is one that is exceeded: found more often than its rate says.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date
from fnmatch import fnmatchcase
from typing import Literal, NamedTuple, Protocol

from conformance.model import Mode
from conformance.providers.models import Expectation, Provider
from conformance.statistics import wilson

Standing = Literal["met", "stale", "exceeded", "undecided"]


class Expected(Protocol):
    """What matters of an expectation, whether it comes from `providers.yaml` or from a run record."""

    @property
    def quirk(self) -> str:
        """Slug or pattern."""

    @property
    def modes(self) -> Collection[str]:
        """Empty: all."""

    @property
    def scenarios(self) -> Collection[str]:
        """Names or patterns; empty: all."""

    @property
    def models(self) -> str | None:
        """Pattern; None: all."""

    @property
    def min_applicable(self) -> int:
        """How many applicable exchanges without it disprove it."""

    @property
    def until(self) -> date | None:
        """Last day on which it is expected."""

    @property
    def rate(self) -> float | None:
        """The largest share of applicable exchanges that may show it."""


class Judged(NamedTuple):
    """What the catalogue said about one exchange of a provider.

    Attributes:
        mode, scenario, model: which exchange.
        found: slugs of the quirks it shows.
        applicable: slugs of the quirks it could show.
        day: on which it was recorded; None if unknown.
    """

    mode: Mode
    scenario: str
    model: str
    found: Collection[str]
    applicable: Collection[str]
    day: date | None = None


class Tally(NamedTuple):
    """How an expectation fared over a run: exchanges that show one of its quirks, out of those that could."""

    expectation: Expected
    found: int
    applicable: int
    standing: Standing


def in_scope(expectation: Expected, mode: Mode, scenario: str, model: str, day: date | None = None) -> bool:
    """Whether an expectation says anything about such an exchange; one of an unknown day is as of today."""
    return (
        (expectation.until is None or (day or date.today()) <= expectation.until)
        and (not expectation.modes or mode in expectation.modes)
        and (not expectation.scenarios or any(fnmatchcase(scenario, pattern) for pattern in expectation.scenarios))
        and (expectation.models is None or fnmatchcase(model, expectation.models))
    )


def expected_by(
    provider: Provider, quirk: str, mode: Mode, scenario: str, model: str, day: date | None = None
) -> Expectation | None:
    """The expectation that covers a finding, the first in the file's order; None if the finding is unexpected."""
    for expectation in provider.expectations:
        if fnmatchcase(quirk, expectation.quirk) and in_scope(expectation, mode, scenario, model, day):
            return expectation
    return None


def standing(expectation: Expected, found: int, applicable: int) -> Standing:
    """What the counts say.

    Args:
        expectation: whose `min_applicable` and `rate` count.
        found: exchanges in its scope that show one of its quirks.
        applicable: exchanges in its scope that could show one.

    Returns:
        `met` if it was found; `exceeded` if that was more often than its rate says, beyond chance (95 %); `stale` if it
        was not found in at least `min_applicable` applicable exchanges; `undecided` if there were too few to tell.

    Raises:
        ValueError: counts that cannot be.
    """
    if not 0 <= found <= applicable:
        raise ValueError(f"{found} found out of {applicable} applicable cannot be")
    if found:
        above = expectation.rate is not None and wilson(found, applicable)[0] > expectation.rate
        return "exceeded" if above else "met"
    return "stale" if applicable >= expectation.min_applicable else "undecided"


def tally(expectations: Iterable[Expected], exchanges: Iterable[Judged]) -> tuple[Tally, ...]:
    """Count every expectation of a provider over its exchanges, in the order given.

    An exchange counts once, however many of a pattern's quirks it shows. Exchanges that were not run are not passed.
    Where two expectations cover the same finding, both are met by it.
    """
    wanted = tuple(expectations)
    counts = [[0, 0] for _ in wanted]
    for one in exchanges:
        for count, expectation in zip(counts, wanted, strict=True):
            if not in_scope(expectation, one.mode, one.scenario, one.model, one.day):
                continue
            shown = any(fnmatchcase(slug, expectation.quirk) for slug in one.found)
            count[0] += shown
            count[1] += shown or any(fnmatchcase(slug, expectation.quirk) for slug in one.applicable)
    return tuple(
        Tally(expectation, found, applicable, standing(expectation, found, applicable))
        for expectation, (found, applicable) in zip(wanted, counts, strict=True)
    )
