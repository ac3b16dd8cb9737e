"""`quirks.md`: the table as GitHub shows it.

Providers are columns, at most `ACROSS` per table, so that nothing scrolls sideways however many there are; quirks are
rows, and only those with something to say. Whatever a provider wrote stands in code spans.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from conformance.model import LEVELS
from conformance.report import words
from conformance.report.files import BESIDE, link
from conformance.report.grid import Cell, Column, Evidence, Matrix, Row, State, place
from conformance.report.text import anchor, code, plural, prose, ticked

ACROSS: Final = 8
"""Columns of providers per table."""
SHOWN: Final = 3
"""Findings shown per cell; the record and the JSON hold more."""


def render(matrix: Matrix, base: str = BESIDE) -> str:
    """The whole document.

    Args:
        matrix: what to show.
        base: the way from the document to the folder that evidence is relative to.
    """
    parts = [
        _head(matrix),
        _verdicts(matrix),
        _unmeasured(matrix),
        _guards(matrix),
        _matrix(matrix),
        _nowhere(matrix),
        _not_run(matrix),
        _expectations(matrix),
        _evidence(matrix, base),
    ]
    return "\n\n".join("\n".join(lines) for lines in map(list, parts) if lines) + "\n"


def _head(matrix: Matrix) -> Iterator[str]:
    yield f"# {words.TITLE}"
    if not matrix.finished:
        yield f"\n> [!CAUTION]\n> **{words.INCOMPLETE}**"
    yield ""
    yield from (prose(sentence, 2000) for sentence in words.origin(matrix))
    yield ""
    yield words.totals(matrix) if matrix.judged else f"**{words.NOTHING}** {words.totals(matrix)}"


def _verdicts(matrix: Matrix) -> Iterator[str]:
    if not matrix.measured:
        return
    yield "## Verdicts\n"
    yield "| provider | model | verdict | judged | usable calls streamed | complete | recorded | verified |"
    yield "| --- | --- | --- | ---: | ---: | ---: | --- | --- |"
    for row in matrix.measured:
        cells = [
            prose(row.provider["name"]),
            prose(row.model),
            _verdict(row),
            str(row.judged),
            words.usable(row, "stream"),
            words.usable(row, "complete"),
            words.period(row.recorded_at),
            prose(row.provider["verified"]),
        ]
        yield f"| {' | '.join(cells)} |"
    yield f"\n<sub>{words.LEGEND}</sub>"


def _verdict(row: Row) -> str:
    headline = words.headline(row)
    return f"**{headline}**{prose(words.verdict(row).removeprefix(headline), 4000)}"


def _unmeasured(matrix: Matrix) -> Iterator[str]:
    if not matrix.unmeasured:
        return
    yield "## Not measured\n"
    yield "| provider | model | | why | verified |"
    yield "| --- | --- | --- | --- | --- |"
    for row in matrix.unmeasured:
        state = State.NO_RECORDING if row.verdict.kind == "no-recording" else State.NOT_RUN
        cells = [
            prose(row.provider["name"]),
            prose(row.model),
            f"{state.symbol} {row.verdict.text}",
            prose(words.why_unmeasured(row)),
            prose(row.provider["verified"]),
        ]
        yield f"| {' | '.join(cells)} |"


def _guards(matrix: Matrix) -> Iterator[str]:
    needed = words.guards(matrix)
    if not needed:
        return
    yield "## Guards\n\nWhat a client needs to survive what was found.\n"
    yield "| quirk | level | guard | with |"
    yield "| --- | --- | --- | --- |"
    for column, rows in needed:
        level = min((row.cells[column.slug].level for row in rows), key=LEVELS.index)
        names = ", ".join(prose(row.label) for row in rows)
        yield f"| {prose(column.slug)} | {level} | {ticked(words.guard(column))} | {names} |"


def _matrix(matrix: Matrix) -> Iterator[str]:
    found, measured = matrix.found(), matrix.measured
    if not found or not measured:
        return
    yield "## Matrix\n"
    yield "`n/m`: found in n of the m exchanges that could show it. `!k`: k more exchanges were not run.\n"
    yield "<br>".join(f"{state.symbol} {state.slug}: {state.meaning}" for state in State)
    for start in range(0, len(measured), ACROSS):
        rows = measured[start : start + ACROSS]
        yield f"\n| quirk | level | {' | '.join(prose(row.label) for row in rows)} |"
        yield f"| --- | --- |{' ---: |' * len(rows)}"
        for column in found:
            if any(_speaks(row.cells[column.slug]) for row in rows):
                cells = " | ".join(_cell(row, column) for row in rows)
                yield f"| [{prose(column.slug)}](#{anchor('quirk', column.slug)}) | {column.level} | {cells} |"


def _cell(row: Row, column: Column) -> str:
    cell = row.cells[column.slug]
    missing = f" !{cell.not_run}" if cell.not_run and cell.applicable else ""
    text = f"{cell.state.symbol} {cell.count}".strip()
    return f"[{text}](#{_anchor(row, column)}){missing}" if cell.found else f"{text}{missing}"


def _speaks(cell: Cell) -> bool:
    return cell.found or cell.state is State.STALE


def _nowhere(matrix: Matrix) -> Iterator[str]:
    if not matrix.judged:
        return
    nowhere = matrix.nowhere()
    looked = [f"{prose(column.slug)}&nbsp;({n})" for column, n in nowhere if n]
    never = [prose(column.slug) for column, n in nowhere if not n]
    if looked:
        yield "## Nowhere found\n\nIn brackets: exchanges that could have shown it.\n"
        yield ", ".join(looked) + "."
    if never:
        yield ("\n" if looked else "") + "## Not applicable anywhere\n\nNo exchange could have shown these.\n"
        yield ", ".join(never) + "."


def _not_run(matrix: Matrix) -> Iterator[str]:
    rows = [row for row in matrix.rows if row.gaps or row.provider.get("left_out")]
    if not rows:
        return
    yield "## Not run\n"
    for row in rows:
        for reason, gaps in words.by_reason(row):
            exchanges = plural(sum(len(gap.places) for gap in gaps), "exchange")
            yield f"- **{prose(row.label)}**, {exchanges}: {prose(reason)}"
            for gap in gaps:
                fix = f"; what helps: {code(gap.fix)}" if gap.fix else ""
                yield f"  - {', '.join(map(prose, gap.places))}: {code(gap.detail)}{fix}"
        if left_out := row.provider.get("left_out"):
            yield (
                f"- **{prose(row.label)}** declares that it lacks what these scenarios need: "
                f"{', '.join(map(prose, left_out))}"
            )


def _expectations(matrix: Matrix) -> Iterator[str]:
    fates = list(matrix.fates())
    if not fates:
        return
    yield "## Expectations\n"
    yield "| provider | quirk | where | reason | source | standing |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for fate in fates:
        one = fate.expectation
        cells = [fate.provider, one["quirk"], words.scope(fate), one["reason"], one["source"], words.fate(fate)]
        yield f"| {' | '.join(map(prose, cells))} |"


def _evidence(matrix: Matrix, base: str) -> Iterator[str]:
    found = [column for column in matrix.found() if any(row.cells[column.slug].found for row in matrix.rows)]
    if not found:
        return
    yield "## Evidence"
    for column in found:
        yield f'\n### <a id="{anchor("quirk", column.slug)}"></a>{prose(column.slug)}\n'
        yield f"{ticked(column.title)} (level {column.level})."
        yield f"Guard: {ticked(words.guard(column))}"
        yield ""
        for row in matrix.rows:
            cell = row.cells[column.slug]
            if cell.found:
                yield from _proof(row, column, cell, base)


def _proof(row: Row, column: Column, cell: Cell, base: str) -> Iterator[str]:
    yield (
        f'- <a id="{_anchor(row, column)}"></a>**{prose(row.label)}**: in {cell.count} exchanges, '
        f"{plural(len(cell.evidence), 'finding')}, {cell.expected} expected"
    )
    for one in cell.evidence[:SHOWN]:
        yield f"  - {_source(one, base)}, {code(words.where(one))}: {code(one.finding['message'])}"
        if one.finding["actual"]:
            yield f"    - came: {code(one.finding['actual'])}"
        if one.is_expected:
            yield f"    - expected: {prose(one.finding['expected_by'] or '')}"
    if len(cell.evidence) > SHOWN:
        yield f"  - and {len(cell.evidence) - SHOWN} more"


def _source(one: Evidence, base: str) -> str:
    evidence = one.exchange["evidence"]
    if evidence is None:
        return code(place(one.exchange))
    return f"[{code(evidence['cassette'])}]({link(base, evidence['cassette'])}) interaction {evidence['interaction']}"


def _anchor(row: Row, column: Column) -> str:
    return anchor("evidence", column.slug, row.key)
