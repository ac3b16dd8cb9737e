"""Provider × quirk, from run records: the one structure that every view shows. Pure: no files, no clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache

from conformance.model import LEVELS
from conformance.quirks.registry import Quirk, catalogue
from conformance.report.grid import MODES, Cell, Column, Evidence, Gap, Matrix, Row, State, Tally, place
from conformance.report.merge import Merged, merge
from conformance.report.text import anchor
from conformance.report.verdict import Verdict, conclude
from conformance.run.record import Record
from conformance.run.rows import ExchangeRow, ExpectationRow, QuirkRow

__all__ = ["Cell", "Column", "Evidence", "Gap", "Matrix", "Row", "State", "Tally", "build"]


def build(*records: Record, strict: bool = False) -> Matrix:
    """Count everything.

    Args:
        records: run records; several are merged as `conformance.report.merge.merge` says.
        strict: `should` findings count even if no run counted them.
    """
    merged = merge(records)
    columns = _columns(merged.quirks.values())
    finished = all(run.finished is not None for run in merged.runs)
    names = [(name, model) for name in sorted(merged.providers) for model in _models(merged, name)]
    by_row: dict[tuple[str, str], list[ExchangeRow]] = {name: [] for name in names}
    for exchange in merged.exchanges:
        by_row[exchange["provider"], exchange["model"]].append(exchange)
    rows: list[Row] = []
    for (provider, model), exchanges in by_row.items():
        about = merged.providers[provider]
        alone = sum(name == provider for name, _ in names) == 1
        verdict = conclude(
            exchanges,
            [column.slug for column in columns],
            finished=finished,
            recorded=about["recorded"] or provider in merged.live,
        )
        disproved = [one["quirk"] for one in merged.stale if one["provider"] == provider]
        key = anchor(provider, "" if alone else model)
        while any(row.key == key for row in rows):
            key += "-x"
        rows.append(
            Row(
                key=key,
                label=provider if alone else f"{provider} {model}",
                provider=about,
                model=model,
                verdict=verdict,
                tallies={mode: _tally([row for row in exchanges if row["mode"] == mode]) for mode in MODES},
                cells={c.slug: _cell(c, exchanges, about["expectations"], disproved, verdict) for c in columns},
                gaps=_gaps(exchanges),
                recorded_at=_days(exchanges),
            )
        )
    return Matrix(
        runs=merged.runs,
        strict=strict or merged.strict,
        columns=columns,
        rows=tuple(rows),
        exchanges=merged.exchanges,
        must_run=merged.must_run,
        stale=merged.stale,
        recorded_at=_days(merged.exchanges),
    )


def _cell(
    column: Column,
    exchanges: Sequence[ExchangeRow],
    expectations: Sequence[ExpectationRow],
    stale: Sequence[str],
    verdict: Verdict,
) -> Cell:
    slug = column.slug
    evidence: list[Evidence] = []
    occurrences = applicable = not_run = 0
    for row in exchanges:
        if row["not_run"] is not None:
            not_run += not column.modes or row["mode"] in column.modes
            continue
        found = [Evidence(row, finding) for finding in row["findings"] if finding["quirk"] == slug]
        evidence += found
        occurrences += bool(found)
        applicable += bool(found) or slug in row["applicable"]
    evidence.sort(key=lambda one: one.is_expected)
    disproved = applicable > 0 and any(fnmatchcase(slug, pattern) for pattern in stale)
    return Cell(
        state=_state(evidence, applicable, not_run, disproved, verdict),
        level=min((one.finding["level"] for one in evidence), key=LEVELS.index, default=column.level),
        occurrences=occurrences,
        applicable=applicable,
        not_run=not_run,
        evidence=tuple(evidence),
        expectations=tuple(one for one in expectations if fnmatchcase(slug, one["quirk"])),
    )


def _state(evidence: Sequence[Evidence], applicable: int, not_run: int, stale: bool, verdict: Verdict) -> State:
    if any(not one.is_expected and one.finding["level"] != "info" for one in evidence):
        return State.UNEXPECTED
    if stale:
        return State.STALE
    if any(one.is_expected for one in evidence):
        return State.EXPECTED
    if evidence:
        return State.NOTED
    if applicable:
        return State.OK
    if verdict.kind == "no-recording":
        return State.NO_RECORDING
    return State.NOT_RUN if not_run or verdict.kind == "not-run" else State.NOT_APPLICABLE


def _tally(rows: Sequence[ExchangeRow]) -> Tally:
    judged = [row for row in rows if row["not_run"] is None]
    calls = [call for row in judged for call in row["calls"]]
    return Tally(
        judged=len(judged),
        not_run=len(rows) - len(judged),
        with_calls=sum(bool(row["calls"]) for row in judged),
        calls=len(calls),
        usable=sum(call["usable"] for call in calls),
    )


def _gaps(rows: Iterable[ExchangeRow]) -> tuple[Gap, ...]:
    places: dict[tuple[str, str, str], list[str]] = {}
    for row in rows:
        if row["not_run"] is not None:
            why = row["not_run"]
            places.setdefault((why["reason"], why["detail"], why["fix"]), []).append(place(row))
    return tuple(Gap(*why, tuple(where)) for why, where in sorted(places.items()))


def _models(merged: Merged, provider: str) -> list[str]:
    ran = {row["model"] for row in merged.exchanges if row["provider"] == provider}
    return sorted(ran | set(merged.providers[provider]["models"])) or [""]


def _days(rows: Iterable[ExchangeRow]) -> tuple[str, ...]:
    days = sorted({row["recorded_at"][:10] for row in rows if row["recorded_at"]})
    return (days[0], days[-1]) if days else ()


def _columns(quirks: Iterable[QuirkRow]) -> tuple[Column, ...]:
    columns = []
    for row in quirks:
        known = _catalogue().get(row["slug"])
        guard, modes = (known.guard, tuple(known.modes)) if known is not None else ("", ())
        columns.append(Column(row["slug"], row["area"], row["level"], row["title"], guard, modes))
    return tuple(sorted(columns, key=lambda c: (LEVELS.index(c.level), c.area, c.slug)))


@cache
def _catalogue() -> Mapping[str, Quirk]:
    return {quirk.slug: quirk for quirk in catalogue()}
