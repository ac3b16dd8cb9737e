"""Sentences that every view of a comparison says alike; whatever a provider controls in them, the view escapes."""

from __future__ import annotations

from typing import Final

from conformance.diff.changes import CellChange, Diff, Kind, RowChange, RowKind
from conformance.diff.compare import ALPHA
from conformance.diff.night import Night, Seen
from conformance.text import plural

NOTHING: Final = "Nothing could be compared: no quirk could have shown on both sides."
LEGEND: Final = (
    "n/m: found in n of the m exchanges that could show it. p: how likely counts at least this different are if the "
    f"rate is the same (Fisher's exact test). A rate changed where p stands after Holm's correction at {ALPHA}."
)
_BEFORE: Final = (RowKind.NOT_RUNNING, RowKind.RECORDING_LOST, RowKind.LEFT_OUT)


def title(diff: Diff) -> str:
    """What is compared."""
    return f"Changes from {_named(diff.old)} to {_named(diff.new)}"


def _named(night: Night) -> str:
    return f"{night.name} ({night.days})" if night.days else night.name


def totals(diff: Diff) -> str:
    """How much changed, out of how much."""
    if not diff.compared and not diff.unexpected:
        return NOTHING
    changes = len(diff.listed) + len(diff.rows)
    compared = f"{plural(diff.compared, 'cell')} compared, {diff.tested} with counts that could differ"
    others = plural(changes - diff.unexpected, "other")
    return f"{plural(diff.unexpected, 'unexpected change')}, {others}; {compared}."


def rows(diff: Diff) -> tuple[list[RowChange], str]:
    """The changes of measuring to be told one by one, and a sentence about the rest; it may be empty.

    Where NEW is of one provider of many, that the others are not in it is one sentence.
    """
    asked = {provider for provider, _ in diff.new.rows}
    absent = [one for one in diff.rows if one.kind is RowKind.LEFT_OUT and one.provider not in asked]
    names = sorted({one.provider for one in absent})
    if len(names) < 2:
        return list(diff.rows), ""
    rest = [one for one in diff.rows if one not in absent]
    return rest, f"{plural(len(names), 'provider')} were not in the newer record: {', '.join(names)}"


def row(one: CellChange | RowChange) -> str:
    """The provider and its model."""
    return f"{one.provider} {one.model}".strip()


def kinds(one: CellChange) -> str:
    """How a cell changed."""
    return ", ".join(kind.slug for kind in one.kinds)


def standing(one: CellChange) -> str:
    """Whether somebody has to look at a change; empty where there is nothing to say."""
    if one.unexpected:
        return "unexpected"
    if one.resolved:
        return "resolved"
    if one.covered:
        return "expected"
    if one.new is not None and one.new.found:
        return "legal variation" if one.level == "info" else "known" if one.old and one.old.found else "does not count"
    return ""


def remark(one: CellChange) -> str:
    """Why the other side tells nothing, or else whether somebody has to look; and whether the cell comes and goes."""
    varies = f"comes and goes since {one.varies}" if one.varies else ""
    return "; ".join(filter(None, (one.why or standing(one), varies)))


def count(seen: Seen | None, *, with_level: bool = False) -> str:
    """What a side counted."""
    if seen is None:
        return "–"
    return f"{seen.count} {seen.level}" if with_level and seen.found else seen.count


def counts(one: CellChange) -> str:
    """Both sides, and how likely that is by chance."""
    graded = not {Kind.GRAVER, Kind.MILDER}.isdisjoint(one.kinds)
    both = f"{count(one.old, with_level=graded)} → {count(one.new, with_level=graded)}"
    return f"{both}, {probability(one)}" if one.p is not None else both


def probability(one: CellChange) -> str:
    """The p-value as a statement; empty if there is none."""
    said = chance(one)
    return f"p {said}" if said.startswith("<") else f"p = {said}" if said else ""


def chance(one: CellChange) -> str:
    """The p-value, to be read."""
    if one.p is None:
        return ""
    return "< 0.0001" if one.p < 0.0001 else f"{one.p:.2g}"


def measuring(one: RowChange) -> str:
    """How the measuring of a row changed."""
    parts = [one.kind.slug.replace("-", " ")]
    if one.scenarios:
        parts.append(", ".join(one.scenarios))
    if one.why:
        parts.append(one.why)
    if one.found:
        parts.append(f"{'found before' if one.kind in _BEFORE else 'found'}: {', '.join(one.found)}")
    return ": ".join(parts[:2]) + "".join(f"; {part}" for part in parts[2:])
