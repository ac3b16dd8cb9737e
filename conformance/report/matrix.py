"""Provider × quirk, from run records: the one structure that every view shows. Pure: no files, no clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING

from conformance.model import LEVELS
from conformance.quirks.registry import Quirk, catalogue
from conformance.report import elsewhere
from conformance.report.cell import Cell, Column, Evidence, State
from conformance.report.grid import MODES, Gap, Matrix, Row, Tally, place
from conformance.report.hops import hops
from conformance.report.merge import Merged, merge, unknown
from conformance.report.since import dated
from conformance.report.text import anchor
from conformance.report.verdict import Verdict, conclude
from conformance.run.outcome import is_part
from conformance.run.record import Record
from conformance.run.rows import ExchangeRow, ExpectationRow, QuirkRow

if TYPE_CHECKING:
    from conformance.audit.observation import Observation
    from conformance.report.history import History

__all__ = ["Cell", "Column", "Evidence", "Gap", "Matrix", "Row", "State", "Tally", "build"]


def build(
    *records: Record,
    strict: bool = False,
    observations: Iterable[Observation] = (),
    history: History | None = None,
) -> Matrix:
    """Count everything.

    Args:
        records: run records; several are merged as `conformance.report.merge.merge` says.
        strict: `should` findings count even if no run counted them.
        observations: facts about recordings that others published; equal ones count once. They stand beside what was
            recorded here and change nothing of it; providers that only they or a report know get a row of their own.
        history: tells since when each cell says what it says; without one no cell says.
    """
    merged = merge(records)
    finished = all(run.finished is not None for run in merged.runs)
    by_row: dict[tuple[str, str], list[ExchangeRow]] = {
        (name, model): [] for name in merged.providers for model in _models(merged, name)
    }
    for exchange in merged.exchanges:
        by_row[exchange["provider"], exchange["model"]].append(exchange)
    theirs = elsewhere.assign(elsewhere.distinct(observations), by_row)
    columns = _columns([*merged.quirks.values(), *_further(theirs, merged.quirks)])
    names = {*by_row, *theirs}
    if theirs:
        names |= {(name, "") for name in elsewhere.sighted() - {provider for provider, _ in names}}
    counted = Counter(provider for provider, _ in names)
    rows: list[Row] = []
    for provider, model in sorted(names, key=lambda name: (name[0], not name[1], name[1])):
        mine = by_row.get((provider, model))
        row = _row(merged, columns, provider, model, mine, theirs.get((provider, model), []), finished=finished)
        key, label = _named(row, alone=counted[provider] == 1, taken={one.key for one in rows})
        rows.append(replace(row, key=key, label=label))
    matrix = Matrix(
        runs=merged.runs,
        strict=strict or merged.strict,
        columns=columns,
        rows=tuple(rows),
        exchanges=merged.exchanges,
        must_run=merged.must_run,
        stale=merged.stale,
        recorded_at=_days(merged.exchanges),
        hops=hops(records, merged.exchanges),
    )
    return (
        matrix if history is None else dated(matrix, history, partial=any(is_part(record.header) for record in records))
    )


def _row(
    merged: Merged,
    columns: Sequence[Column],
    provider: str,
    model: str,
    planned: Sequence[ExchangeRow] | None,
    theirs: Sequence[Observation],
    *,
    finished: bool,
) -> Row:
    """One row, still without its names; `planned` is None where no record knows it."""
    exchanges = planned or ()
    about = merged.providers.get(provider) or unknown(provider, recorded=False)
    verdict = conclude(
        exchanges,
        [column.slug for column in columns],
        finished=finished,
        recorded=planned is not None and (about["recorded"] or provider in merged.live),
    )
    disproved = [one["quirk"] for one in merged.stale if one["provider"] == provider]
    published = elsewhere.published(theirs)
    cells = {}
    for column in columns:
        cell = _cell(column, exchanges, about["expectations"], disproved if planned is not None else (), verdict)
        reported = elsewhere.reports(provider, column.slug, cell.expectations, recorded=cell.found)
        cells[column.slug] = replace(cell, published=published.get(column.slug), reported=reported)
    return Row(
        key="",
        label="",
        provider=about,
        model=model,
        verdict=verdict,
        tallies={mode: _tally([row for row in exchanges if row["mode"] == mode]) for mode in MODES},
        cells=cells,
        gaps=_gaps(exchanges),
        recorded_at=_days(exchanges),
        published=elsewhere.publication(theirs),
        elsewhere=planned is None,
    )


def _named(row: Row, *, alone: bool, taken: Container[str]) -> tuple[str, str]:
    """Key and label of a row among others."""
    provider, model = row.provider["name"], row.model or "(published)"
    key = anchor(provider, "" if alone else model)
    while key in taken:
        key += "-x"
    return key, provider if alone else f"{provider} {model}"


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
    slots: dict[tuple[str, str, int], set[bool]] = {}
    for row in exchanges:
        if row["not_run"] is not None:
            not_run += not column.modes or row["mode"] in column.modes
            continue
        found = [Evidence(row, finding) for finding in row["findings"] if finding["quirk"] == slug]
        evidence += found
        occurrences += bool(found)
        if found or slug in row["applicable"]:
            applicable += 1
            slots.setdefault((row["scenario"], row["mode"], row["step"]), set()).add(bool(found))
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
        repeated=any(row["sample"] for row in exchanges),
        flaky=any(len(shown) > 1 for shown in slots.values()),
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
        layer = known.layer if known is not None else "server"
        columns.append(Column(row["slug"], row["area"], row["level"], layer, row["title"], guard, modes))
    return tuple(sorted(columns, key=lambda c: (LEVELS.index(c.level), c.area, c.slug)))


def _further(theirs: Mapping[tuple[str, str], Sequence[Observation]], known: Collection[str]) -> Iterator[QuirkRow]:
    """Quirks that were observed, though no record looked for them."""
    seen: set[str] = set(known)
    for one in (one for group in theirs.values() for one in group):
        slug = one["quirk"]
        if slug not in seen:
            seen.add(slug)
            quirk = _catalogue().get(slug)
            area, level, title = (quirk.area, quirk.level, quirk.title) if quirk else ("", one["level"], "")
            yield {"slug": slug, "area": area, "level": level, "title": title}


@cache
def _catalogue() -> Mapping[str, Quirk]:
    return {quirk.slug: quirk for quirk in catalogue()}
