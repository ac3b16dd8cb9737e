"""The evidence of `quirks.md`, quirk by quirk and kind by kind, and where published recordings come from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from conformance.report import words
from conformance.report.cell import Cell, Column, Evidence
from conformance.report.elsewhere import Kind, Published, Report, Repository, url
from conformance.report.files import address, link
from conformance.report.grid import Matrix, Row, place
from conformance.report.text import anchor, code, place_of, plural, prose, ticked

if TYPE_CHECKING:
    from conformance.audit.observation import Observation

SHOWN: Final = 3
"""Findings, and published recordings, shown per cell; the record and the JSON hold more."""
SHOWN_INFO: Final = 1
"""The same of published recordings that show a legal variation."""


def render(matrix: Matrix, base: str) -> Iterator[str]:
    """One section per quirk that there is evidence for.

    Args:
        matrix: what to show.
        base: the way from the document to the folder that evidence is relative to.
    """
    proven = matrix.proven()
    if not proven:
        return
    yield "## Evidence"
    for column in proven:
        yield f'\n### <a id="{anchor("quirk", column.slug)}"></a>{prose(column.slug)}\n'
        yield f"{ticked(column.title)} (level {column.level})."
        yield f"Guard: {ticked(words.guard(column))}"
        yield ""
        cells = [(row, row.cells[column.slug]) for row in matrix.rows]
        for row, cell in cells:
            if cell.found:
                yield from _recorded(row, column, cell, base)
        for row, cell in cells:
            if cell.published is not None and cell.published_found:
                yield from _published(row, column, cell.published)
        for row, cell in cells:
            if cell.reported:
                said = "; ".join(map(_report, cell.reported))
                yield f"- {_opening('reported', column, row)}, {Kind.REPORTED.symbol} reported: {said}"


def repositories(matrix: Matrix) -> Iterator[str]:
    """Where the published recordings of each provider are kept."""
    published = [(row, row.published) for row in matrix.rows if row.published is not None]
    if not published:
        return
    yield f"## Published recordings\n\n{words.PUBLISHED}\n"
    for row, one in published:
        yield f'- <a id="{anchor("source", row.key)}"></a>**{prose(row.label)}**: {words.publication(one)}'
        yield from map(_repository, one.repositories)


def _opening(kind: str, column: Column, row: Row) -> str:
    return f'<a id="{place_of(kind, column.slug, row.key)}"></a>**{prose(row.label)}**'


def _recorded(row: Row, column: Column, cell: Cell, base: str) -> Iterator[str]:
    yield (
        f"- {_opening('evidence', column, row)}: in {cell.count} exchanges, "
        f"{plural(len(cell.evidence), 'finding')}, {cell.expected} expected{_since(cell)}"
    )
    for one in cell.evidence[:SHOWN]:
        yield f"  - {_source(one, base)}, {code(words.where(one))}: {code(one.finding['message'])}"
        if one.finding["actual"]:
            yield f"    - came: {code(one.finding['actual'])}"
        if one.is_expected:
            yield f"    - expected: {prose(one.finding['expected_by'] or '')}"
    if len(cell.evidence) > SHOWN:
        yield f"  - and {len(cell.evidence) - SHOWN} more"


def _since(cell: Cell) -> str:
    since = words.since(cell)
    return f", {since}" if since else ""


def _source(one: Evidence, base: str) -> str:
    evidence = one.exchange["evidence"]
    if evidence is None:
        return code(place(one.exchange))
    return f"[{code(evidence['cassette'])}]({link(base, evidence['cassette'])}) interaction {evidence['interaction']}"


def _published(row: Row, column: Column, published: Published) -> Iterator[str]:
    limit = SHOWN_INFO if published.level == "info" else SHOWN
    yield f"- {_opening('published', column, row)}, {Kind.SHOWN.symbol} published: in {published.count} exchanges"
    yield from (f"  - {_observation(one, column)}" for one in published.shown[:limit])
    if len(published.shown) > limit:
        yield f"  - and {len(published.shown) - limit} more"


def _observation(one: Observation, column: Column) -> str:
    return f"[{prose(words.file(one))}]({url(one)}): {prose(words.observed(one, column))}"


def _report(one: Report) -> str:
    title = f"[{prose(one.title)}]({address(one.url)})" if one.url else prose(one.title)
    date = f" ({prose(one.date)})" if one.date else ""
    return f"{title}{date}{f': {prose(one.says)}' if one.says else ''}"


def _repository(one: Repository) -> str:
    return f"  - [{prose(one.name)}]({one.url}): {prose(words.repository(one), 1000)}"
