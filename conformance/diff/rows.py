"""Providers' models that are measured on one side only, or less than on the other. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.diff.changes import RowChange, RowKind
from conformance.diff.night import Key, Night, Row, Seen


def rows(old: Night, new: Night) -> Iterator[RowChange]:
    """How the measuring of each model of each provider changed."""
    for key in sorted({*old.rows, *new.rows}):
        before, now = counterpart(old, key), counterpart(new, key)
        if before is not None and before.judged and now is not None and now.judged:
            yield from _parts(key, RowKind.PARTLY_NOT_RUNNING, before, now)
            yield from _parts(key, RowKind.WHOLE_AGAIN, now, before)
        elif before is not None and before.judged:
            kind = _kind(now, RowKind.LEFT_OUT, RowKind.RECORDING_LOST, RowKind.NOT_RUNNING)
            yield RowChange(*key, kind, _why(new, now, key), (), _found(before))
        elif now is not None and now.judged:
            kind = _kind(before, RowKind.ADDED, RowKind.NEWLY_RECORDED, RowKind.RUNNING_AGAIN)
            yield RowChange(*key, kind, _why(old, before, key), (), _found(now))


def counterpart(night: Night, key: Key) -> Row | None:
    """What a night says of a model; if it measured nothing of the provider at all, what it says of that."""
    if key in night.rows:
        return night.rows[key]
    siblings = [row for (provider, _), row in night.rows.items() if provider == key[0]]
    return siblings[0] if siblings and not any(row.judged for row in siblings) else None


def silence(night: Night, row: Row | None, quirk: str, loud: Seen) -> str:
    """Why a side tells nothing about a quirk that the other one found.

    Args:
        night: the side.
        row: its row, if it has one.
        quirk: which.
        loud: what the other side found.
    """
    if row is None:
        return "not asked"
    if not row.judged:
        return _reasons(row)
    if quirk not in night.quirks:
        return "not looked for"
    places = sorted(loud.found_in or ())
    if gaps := sorted({row.missing[place] for place in places if place in row.missing}):
        return f"not run: {'; '.join(gaps)}"
    if row.scenarios is not None and row.scenarios.isdisjoint(places):
        return f"not asked: {', '.join(places)}"
    return "no answer could have shown it"


def _kind(row: Row | None, absent: RowKind, unrecorded: RowKind, failed: RowKind) -> RowKind:
    if row is None:
        return absent
    return unrecorded if row.verdict == "no-recording" else failed


def _parts(key: Key, kind: RowKind, whole: Row, part: Row) -> Iterator[RowChange]:
    """What one side ran and the other could not."""
    lost = [
        place
        for place in sorted(part.missing)
        if place not in whole.missing and (whole.scenarios is None or place in whole.scenarios)
    ]
    if lost:
        why = "; ".join(sorted({part.missing[place] for place in lost}))
        yield RowChange(*key, kind, why, tuple(lost), ())


def _why(night: Night, row: Row | None, key: Key) -> str:
    if row is not None:
        return _reasons(row)
    models = sorted(model for provider, model in night.rows if provider == key[0])
    return f"asked for {', '.join(models)} instead" if models else ""


def _reasons(row: Row) -> str:
    return "; ".join(sorted(set(row.missing.values()))) or row.verdict.replace("-", " ")


def _found(row: Row) -> tuple[str, ...]:
    return tuple(sorted(slug for slug, seen in row.cells.items() if seen.found and seen.level != "info"))
