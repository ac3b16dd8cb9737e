"""The step summary of GitHub Actions: what is red first, then what was expected, then the tables.

It is written for somebody who comes from a red job. No link leads anywhere, because a summary stands alone. GitHub
shows none that is larger than 1 MiB (https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands),
so parts that do not fit are left out whole, and the summary says which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from conformance.model import LEVELS
from conformance.report import rerun, words
from conformance.report.cell import Cell, Column, Evidence, State
from conformance.report.grid import Matrix, Row
from conformance.report.summary import groups
from conformance.report.text import code, plural, prose, ticked
from conformance.run.outcome import disproof

LIMIT: Final = 1_000_000
"""Bytes of a summary, all that a step writes taken together; GitHub refuses more than 1,048,576."""
SMALLEST: Final = 16_384
"""Bytes without which not even the head and the note on what was left out are sure to fit."""

_ACROSS: Final = 8
_NOTE: Final = 2_000
_RUNS: Final = 3


@dataclass(frozen=True, slots=True)
class _Section:
    """Part of the summary: what stands before its blocks, what stands after them, and what it is called if cut."""

    name: str
    opening: str
    blocks: tuple[str, ...]
    closing: str = "\n"


def render(matrix: Matrix, limit: int = LIMIT) -> str:
    """The Markdown, at most `limit` bytes of UTF-8.

    Args:
        matrix: what to show.
        limit: at least `SMALLEST`.
    """
    head = "\n".join(_head(matrix)) + "\n\n"
    room = limit - _size(head) - _NOTE
    shown: list[str] = []
    left_out: Counter[str] = Counter()
    in_all: Counter[str] = Counter()
    for section in _sections(matrix):
        text, left = _fit(section, room)
        room -= _size(text)
        shown.append(text)
        left_out[section.name] += left
        in_all[section.name] += len(section.blocks)
    cut = [f"{left} of {in_all[name]} in “{name}”" for name, left in left_out.items() if left]
    return head + _note(cut) + "".join(shown)


def _fit(section: _Section, room: int) -> tuple[str, int]:
    """As many whole blocks as there is room for, and how many are left out."""
    room -= _size(section.opening + section.closing)
    kept = 0
    for block in section.blocks:
        room -= _size(block)
        if room < 0:
            break
        kept += 1
    left = len(section.blocks) - kept
    return (section.opening + "".join(section.blocks[:kept]) + section.closing if kept else ""), left


def _note(cut: Sequence[str]) -> str:
    if not cut:
        return ""
    return (
        f"> [!NOTE]\n> Left out, to stay below the size that GitHub shows: {'; '.join(cut)}. "
        "Everything is in `quirks.md` and `quirks.html` of the run.\n\n"
    )


def _head(matrix: Matrix) -> Iterator[str]:
    red = matrix.exit_code == 1
    what = "unexpected" if red else "nothing unexpected" if matrix.judged else "nothing measured"
    symbol = State.UNEXPECTED.symbol if red else State.OK.symbol if matrix.judged else State.NOT_RUN.symbol
    if not red and not matrix.finished:
        what, symbol = "incomplete", State.NOT_RUN.symbol
    yield f"## {symbol} Tool calling: {what}\n"
    if not matrix.finished:
        yield f"> [!CAUTION]\n> **{words.INCOMPLETE}**\n"
    yield words.totals(matrix) if matrix.judged else f"**{words.NOTHING}** {words.totals(matrix)}"
    origin = words.origin(matrix)
    if len(origin) <= _RUNS:
        yield ""
        yield from (prose(sentence, 1000) for sentence in origin)


def _sections(matrix: Matrix) -> Iterator[_Section]:
    cells = [(row, column, row.cells[column.slug]) for column in matrix.columns for row in matrix.rows]
    unexpected = [one for one in cells if one[2].state is State.UNEXPECTED]
    red = [one for one in unexpected if _worst(one[2]).finding["level"] in matrix.counting]
    yield _Section("Unexpected", "### Unexpected\n\n", tuple(_finding(matrix, *one) for one in red))
    yield _Section("Stale expectations", "### Stale expectations\n\n", tuple(_stale(matrix)))
    yield _Section("Not run", "### Not run\n\n", tuple(_not_run(matrix)))
    expected = [one for one in cells if one[2].state is State.EXPECTED]
    yield _folded("Expected", "quirk", tuple(_expected(*one) for one in expected), "reason", "---")
    milder = [one for one in unexpected if one not in red]
    yield _folded("Found, and not counted without --strict", "quirk", tuple(_milder(*one) for one in milder), "", "")
    yield _verdicts(matrix)
    yield from _tables(matrix)
    absent = [prose(row.label) for row in matrix.rows if row.verdict.kind == "no-recording" and not row.elsewhere]
    yield _Section("Without a recording", "No recording: ", (", ".join(absent) + ".\n",) if absent else ())


def _finding(matrix: Matrix, row: Row, column: Column, cell: Cell) -> str:
    """What was found, where, and how to see it again."""
    first = _worst(cell)
    finding, source = first.finding, first.exchange["evidence"]
    cassette = f"{code(source['cassette'])} interaction {source['interaction']}, " if source is not None else ""
    lines = [
        f"- **{prose(row.label)}: {prose(column.slug)}** ({finding['level']}), in {cell.count} exchanges",
        f"  - found: {code(finding['message'])}",
        f"  - expected: {code(finding['expected'])}" if finding["expected"] else "",
        f"  - came: {code(finding['actual'])}" if finding["actual"] else "",
        f"  - where: {cassette}{code(words.where(first))}",
        f"  - again: {code(rerun.command(matrix, first.exchange), 2000)}",
        f"  - guard: {ticked(words.guard(column))}",
    ]
    return "".join(f"{line}\n" for line in lines if line)


def _worst(cell: Cell) -> Evidence:
    """The gravest finding that no expectation covers, the first of them."""
    unexpected = [one for one in cell.evidence if not one.is_expected]
    return min(unexpected, key=lambda one: LEVELS.index(one.finding["level"]))


def _stale(matrix: Matrix) -> Iterator[str]:
    for one in matrix.stale:
        yield f"- **{prose(one['provider'])}: {prose(one['quirk'])}** {prose(disproof(one))}\n"


def _not_run(matrix: Matrix) -> Iterator[str]:
    for row in matrix.rows:
        if row.provider["name"] not in matrix.must_run:
            continue
        for gap in row.gaps:
            fix = f"; what helps: {code(gap.fix)}" if gap.fix else ""
            count = plural(len(gap.places), "exchange")
            yield f"- **{prose(row.label)}**, {count}: {prose(gap.reason)}: {code(gap.detail)}{fix}\n"


def _expected(row: Row, column: Column, cell: Cell) -> str:
    why = "; ".join(dict.fromkeys(one.finding["expected_by"] or "" for one in cell.evidence if one.is_expected))
    return f"| {prose(row.label)} | {prose(column.slug)} | {cell.level} | {cell.count} | {prose(why)} |\n"


def _milder(row: Row, column: Column, cell: Cell) -> str:
    level = _worst(cell).finding["level"]
    return f"| {prose(row.label)} | {prose(column.slug)} | {level} | {cell.count} |\n"


def _folded(name: str, what: str, blocks: tuple[str, ...], more: str, rule: str) -> _Section:
    """A table that opens on a click, for what nobody has to act on."""
    last, line = (f" {more} |", f" {rule} |") if more else ("", "")
    opening = (
        f"<details><summary>{name}: {plural(len(blocks), what)}</summary>\n\n"
        f"| provider | quirk | level | exchanges |{last}\n| --- | --- | --- | ---: |{line}\n"
    )
    return _Section(name, opening, blocks, "\n</details>\n\n")


def _verdicts(matrix: Matrix) -> _Section:
    opening = "### Verdicts\n\n| provider | model | verdict | judged | not run |\n| --- | --- | --- | ---: | ---: |\n"
    blocks = tuple(
        f"| {prose(row.provider['name'])} | {prose(row.model)} | {prose(words.verdict(row), 1000)} | {row.judged} "
        f"| {row.not_run or ''} |\n"
        for row in matrix.measured
    )
    return _Section("Verdicts", opening, blocks)


def _tables(matrix: Matrix) -> Iterator[_Section]:
    """What was measured of the quirks that break clients, for at most `_ACROSS` rows of the matrix at a time."""
    columns = [column for group in groups(matrix) if group.name != "legal" for column in group.columns]
    for start in range(0, len(matrix.measured), _ACROSS):
        rows = matrix.measured[start : start + _ACROSS]
        title = "### Table\n\n" + words.COUNTS + "\n\n" if not start else ""
        names = " | ".join(prose(row.label) for row in rows)
        opening = f"{title}| quirk | level | {names} |\n| --- | --- |{' ---: |' * len(rows)}\n"
        found = [column for column in columns if any(_told(row.cells[column.slug]) for row in rows)]
        yield _Section("Table", opening, tuple(_line(column, rows) for column in found))


def _line(column: Column, rows: Sequence[Row]) -> str:
    cells = [row.cells[column.slug] for row in rows]
    missing = [f" !{cell.not_run}" if cell.not_run and cell.applicable else "" for cell in cells]
    texts = [f"{cell.state.symbol} {cell.count}".strip() + more for cell, more in zip(cells, missing, strict=True)]
    return f"| {prose(column.slug)} | {column.level} | {' | '.join(text.replace(' ', '&nbsp;') for text in texts)} |\n"


def _told(cell: Cell) -> bool:
    return cell.found or cell.state is State.STALE


def _size(text: str) -> int:
    return len(text.encode())
