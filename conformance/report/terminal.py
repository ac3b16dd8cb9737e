"""The matrix on a terminal: verdicts, what is unexpected, what is missing. Plain lines in a pipe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, TextIO

from conformance.report import words
from conformance.report.cell import State
from conformance.report.grid import Matrix, Row, place
from conformance.report.hops import QUIET, Hop
from conformance.report.text import plural, visible

if TYPE_CHECKING:
    from conformance.report.verdict import Kind

SHOWN: Final = 20
"""Unexpected cells listed; the other views hold all."""

_COLOURS: Final[dict[Kind, str]] = {
    "safe": "green",
    "needs-guards": "yellow",
    "do-not-stream": "red",
    "undecided": "magenta",
    "not-run": "magenta",
    "no-recording": "dim",
}


def show(matrix: Matrix, stream: TextIO) -> None:
    """Write it: with a table and colours on a terminal, otherwise exactly `render`."""
    if not stream.isatty():
        stream.write(render(matrix))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=stream, highlight=False)
    for line in _warnings(matrix):
        console.print(Text(line, style="bold red"))
    if matrix.measured:
        table = Table(title=words.TITLE, title_justify="left")
        for name in ("provider", "model", "verdict"):
            table.add_column(name, overflow="fold")
        for name in ("judged", "not run"):
            table.add_column(name, justify="right")
        for row in matrix.measured:
            verdict = Text(visible(words.verdict(row), 4000), style=_COLOURS[row.verdict.kind])
            texts = (Text(visible(row.provider["name"])), Text(visible(row.model)), verdict)
            table.add_row(*texts, str(row.judged), str(row.not_run or ""))
        console.print(table)
    for line in _rest(matrix):
        console.print(Text(line))


def render(matrix: Matrix) -> str:
    """The same as plain text, one fact per line."""
    lines = [*_warnings(matrix)]
    lines += [f"{visible(_name(row))}: {visible(words.verdict(row), 4000)}" for row in matrix.measured]
    return "\n".join([*lines, *_rest(matrix)]) + "\n"


def _warnings(matrix: Matrix) -> Iterator[str]:
    if not matrix.finished:
        yield words.INCOMPLETE
    if not matrix.judged:
        yield words.NOTHING


def _rest(matrix: Matrix) -> Iterator[str]:
    for row in matrix.unmeasured:
        if row.published is not None:
            yield visible(f"{row.label}: {row.verdict.text}: {words.unmeasured(matrix, row)}", 1000)
    absent = [row for row in matrix.unmeasured if row.verdict.kind == "no-recording" and row.published is None]
    if absent:
        yield f"no recording: {', '.join(visible(row.label) for row in absent)}"
    bad = [
        (column, row, row.cells[column.slug])
        for column in matrix.columns
        for row in matrix.rows
        if row.cells[column.slug].state in (State.UNEXPECTED, State.STALE)
    ]
    for column, row, cell in bad[:SHOWN]:
        if cell.state is State.STALE:
            more = ", more often than its rate says" if cell.found else ""
            why = f"{'' if cell.found else 'not '}found in {cell.count}{more}"
            yield visible(f"{cell.state.symbol} stale expectation: {row.label}: {column.slug}: {why}")
            continue
        first = cell.evidence[0]
        source = first.exchange["evidence"]
        file = f"{source['cassette']} interaction {source['interaction']}" if source else place(first.exchange)
        line = (
            f"{cell.state.symbol} {cell.level} {column.slug}: {row.label}: {cell.count}, {file}, {words.where(first)}"
        )
        yield visible(line, 1000)
    if len(bad) > SHOWN:
        yield f"  and {len(bad) - SHOWN} more"
    for row in matrix.rows:
        for reason, gaps in words.by_reason(row):
            count = plural(sum(len(gap.places) for gap in gaps), "exchange")
            fix = f"; what helps: {gaps[0].fix}" if gaps[0].fix else ""
            more = f" (and {len(gaps) - 1} more like this)" if len(gaps) > 1 else ""
            yield visible(f"! {row.label}: {count} not run: {reason}: {gaps[0].detail}{fix}{more}", 1000)
    for hop in matrix.hops:
        yield from _hop(hop)
    yield words.totals(matrix)


def _hop(hop: Hop) -> Iterator[str]:
    yield visible(f"{hop.title}: {hop.summary}", 1000)
    for one in hop.quirks:
        if one.change not in QUIET:
            counts = f"straight {one.straight.count or '–'}, through {hop.gateway} {one.through.count or '–'}"
            yield visible(f"  {one.change.word:8} {one.level:6} {one.slug}: {counts}", 1000)
    for left in hop.unpaired:
        yield visible(
            f"  not compared: {plural(len(left.places), 'exchange')}: {left.why}: {', '.join(left.places)}", 1000
        )


def _name(row: Row) -> str:
    return f"{row.provider['name']} {row.model}".strip()
