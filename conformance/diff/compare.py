"""Two nights compared, cell by cell. Pure.

A cell *appeared* or is *gone* only where the other side could have shown the quirk: in some scenario and mode in which
it was found, an answer of the other side was one to which it applies. Everything else is *new-only* or *old-only*, with
the reason: not run, not asked, not looked for. What is red and in NEW only is unexpected all the same, so that nothing
red comes in unsaid.

*Gone* is more than silence: a quirk that shows now and then is silent on many a night. It is gone where Fisher's test
stands (below), or where it always showed and now never does (`conformance.statistics.turned`): in all exchanges that
both sides could have shown it in, or in each scenario and mode in which it was found. Else it is *not-seen*, and so is
whatever a history says comes and goes: its exchanges of one night are more alike than those tests assume.

Whether a rate changed is decided by Fisher's exact test over the scenarios that both sides asked. Some two hundred
quirks times as many providers are tested in one night, so that many p-values lie below 0.05 by chance alone; Holm's
procedure holds the chance that a night on which nothing changed shows even one change of rate below `ALPHA`. Cells that
show a quirk never, or always, on both sides can show no difference whatever comes, and are not among the tests (after
Tarone 1990).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from conformance.diff.changes import CellChange, Diff, Kind
from conformance.diff.night import Night, Row, Seen
from conformance.diff.notes import notes
from conformance.diff.rows import counterpart, rows, silence
from conformance.model import LEVELS, Level
from conformance.report.history import History
from conformance.statistics import fisher, holm, turned

ALPHA: Final = 0.01
"""At most one night out of a hundred, on which nothing changed, shows a change of some rate."""

_STALE: Final = "stale"
_BREAKS: Final[tuple[Level, ...]] = LEVELS[:2]


@dataclass(frozen=True, slots=True)
class _Counts:
    """Exchanges in the scenarios that both sides asked: found and applicable, then and now; all of them if unknown."""

    then: int
    of_then: int
    now: int
    of_now: int

    @property
    def p(self) -> float:
        return fisher(self.now, self.of_now, self.then, self.of_then)

    @property
    def turned(self) -> bool:
        return turned(self.then, self.of_then, self.now, self.of_now)

    @property
    def can_differ(self) -> bool:
        return 0 < self.then + self.now < self.of_then + self.of_now


@dataclass(frozen=True, slots=True)
class _Pair:
    """A cell on both sides.

    Attributes:
        before, now: its rows; None where a side did not ask.
        old, new: None where a side measured nothing, or did not look for the quirk.
        counts: None where one side can tell nothing.
        varies: since when it comes and goes; empty if that is not known of it.
    """

    provider: str
    model: str
    quirk: str
    before: Row | None
    now: Row | None
    old: Seen | None
    new: Seen | None
    counts: _Counts | None
    varies: str


def compare(old: Night, new: Night, *, strict: bool = False, history: History | None = None) -> Diff:
    """Compare two nights.

    Args:
        old, new: the two sides; the order matters.
        strict: findings of level `should` count even if the run of `new` did not count them.
        history: says what comes and goes; without it, what was published beside `new` or `old`.
    """
    strict = strict or new.strict
    counting = LEVELS[:2] if strict else LEVELS[:1]
    pairs = list(_pairs(old, new, history or new.history or old.history or History()))
    tests = [pair for pair in pairs if pair.counts is not None and pair.counts.can_differ]
    stand = holm([pair.counts.p for pair in tests if pair.counts is not None], ALPHA)
    significant = {(one.provider, one.model, one.quirk) for one, stands in zip(tests, stand, strict=True) if stands}
    cells = []
    for pair in pairs:
        proven = (pair.provider, pair.model, pair.quirk) in significant
        if kinds := tuple(_kinds(pair, proven, counting)):
            cells.append(_change(pair, kinds, old, new, counting))
    return Diff(
        old=old,
        new=new,
        strict=strict,
        rows=tuple(sorted(rows(old, new), key=lambda one: (not one.unexpected, one.provider, one.model))),
        cells=tuple(sorted(cells, key=_order)),
        compared=sum(pair.counts is not None for pair in pairs),
        tested=len(tests),
        notes=notes(old, new),
    )


def _order(one: CellChange) -> tuple[bool, str, str, int, str]:
    return (not one.unexpected, one.provider, one.model, LEVELS.index(one.level), one.quirk)


def _pairs(old: Night, new: Night, history: History) -> Iterator[_Pair]:
    for key in sorted({*old.rows, *new.rows}):
        before, now = counterpart(old, key), counterpart(new, key)
        before_cells = before.cells if before is not None else {}
        now_cells = now.cells if now is not None else {}
        shared = _shared(before, now)
        for slug in sorted({*before_cells, *now_cells}):
            a, b = before_cells.get(slug), now_cells.get(slug)
            past = history.changes(*key, slug)
            varies = past[-1].day if past and past[-1].state == "varies" else ""
            yield _Pair(*key, slug, before, now, a, b, _counts(a, b, shared), varies)


def _shared(before: Row | None, now: Row | None) -> frozenset[str] | None:
    """Scenarios that both sides asked; None if one of them does not tell."""
    asked, asks = (row.scenarios if row is not None else None for row in (before, now))
    return None if asked is None or asks is None else asked & asks


def _counts(old: Seen | None, new: Seen | None, shared: frozenset[str] | None) -> _Counts | None:
    if old is None or new is None:
        return None
    counts = _Counts(*old.within(shared), *new.within(shared))
    return counts if counts.of_then and counts.of_now else None


def _kinds(pair: _Pair, significant: bool, counting: tuple[Level, ...]) -> Iterator[Kind]:
    """How a cell changed, the most telling first."""
    old, new = pair.old, pair.new
    was, now = old is not None and old.found, new is not None and new.found
    if now and not was and (_measured(pair.before) or _red(new, counting)):
        yield Kind.APPEARED if _could_show(old, new) else Kind.NEW_ONLY
    if was and not now and (_measured(pair.now) or _red(old, counting)):
        yield _silent(pair, significant) if _could_show(new, old) else Kind.OLD_ONLY
    stale_then, stale_now = (one is not None and one.state == _STALE for one in (old, new))
    if stale_now != stale_then:
        yield Kind.STALE if stale_now else Kind.NO_LONGER_STALE
    if old is not None and new is not None and was and now:
        others = list(_of_both(old, new, significant, pair.counts))
        yield from others
        if not others and stale_now == stale_then and old.count != new.count:
            yield Kind.COUNT


def _silent(pair: _Pair, significant: bool) -> Kind:
    """What it means that a quirk that was found is found no more where it could have been."""
    if pair.varies or pair.counts is None:
        return Kind.NOT_SEEN
    return Kind.GONE if significant or pair.counts.turned or _turned_where_found(pair.old, pair.new) else Kind.NOT_SEEN


def _turned_where_found(old: Seen | None, new: Seen | None) -> bool:
    """Whether it always showed and now never does, in each scenario and mode in which it was found."""
    if old is None or new is None or not old.found_in or old.applicable_in is None or new.applicable_in is None:
        return False
    then, now = old.applicable_in, new.applicable_in
    return all(turned(shown, then.get(place, 0), 0, now.get(place, 0)) for place, shown in old.found_in.items())


def _of_both(old: Seen, new: Seen, significant: bool, counts: _Counts | None) -> Iterator[Kind]:
    """The same for a quirk that was found on both sides."""
    bare_then, bare_now = old.unexpected_level in _BREAKS, new.unexpected_level in _BREAKS
    if bare_then != bare_now:
        yield Kind.NO_LONGER_EXPECTED if bare_now else Kind.NOW_EXPECTED
    if old.level != new.level:
        yield Kind.GRAVER if LEVELS.index(new.level) < LEVELS.index(old.level) else Kind.MILDER
    if significant and counts is not None:
        yield Kind.MORE_OFTEN if counts.now * counts.of_then > counts.then * counts.of_now else Kind.LESS_OFTEN


def _change(pair: _Pair, kinds: tuple[Kind, ...], old: Night, new: Night, counting: tuple[Level, ...]) -> CellChange:
    was, now = _red(pair.old, counting), _red(pair.new, counting)
    worse = not {Kind.GRAVER, Kind.MORE_OFTEN}.isdisjoint(kinds)
    mended = was and not now and pair.new is not None and {Kind.OLD_ONLY, Kind.NOT_SEEN}.isdisjoint(kinds)
    unexpected = Kind.STALE in kinds or (now and (worse or not was))
    why = ""
    if Kind.NEW_ONLY in kinds and pair.new is not None:
        why = silence(old, pair.before, pair.quirk, pair.new)
    elif Kind.OLD_ONLY in kinds and pair.old is not None:
        why = silence(new, pair.now, pair.quirk, pair.old)
    return CellChange(
        provider=pair.provider,
        model=pair.model,
        quirk=pair.quirk,
        kinds=kinds,
        old=pair.old,
        new=pair.new,
        unexpected=unexpected,
        resolved=not unexpected and (mended or (Kind.NO_LONGER_STALE in kinds and pair.new is not None)),
        why=why,
        varies=pair.varies,
        p=pair.counts.p if pair.counts is not None else None,
    )


def _measured(row: Row | None) -> bool:
    return row is not None and bool(row.judged)


def _red(seen: Seen | None, counting: tuple[Level, ...]) -> bool:
    return seen is not None and seen.unexpected_level in counting


def _could_show(silent: Seen | None, loud: Seen | None) -> bool:
    """Whether a side that did not find a quirk could have, where the other one did."""
    if silent is None or loud is None:
        return False
    if loud.found_in is None or silent.applicable_in is None:
        return silent.applicable > 0
    return not silent.applicable_in.keys().isdisjoint(loud.found_in)
