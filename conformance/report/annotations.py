"""What makes a run red, as a few notes on the lines of the providers file that it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from conformance.report import words
from conformance.report.cell import State
from conformance.report.grid import Matrix, Row
from conformance.report.text import plural, visible
from conformance.run.outcome import disproof

MOST: Final = 10
"""Annotations of one step that GitHub shows."""
_LINES: Final = 6


@dataclass(frozen=True, slots=True)
class Annotation:
    """A note on a line of a file.

    Attributes:
        title: one line.
        message: one line or several.
        file: its path; empty if there is none.
        line, column: counted from 1; None if unknown.
    """

    title: str
    message: str
    file: str = ""
    line: int | None = None
    column: int | None = None


def notes(matrix: Matrix, file: str, line_of: Callable[[str, str], int | None]) -> list[Annotation]:
    """At most `MOST`: one for each stale expectation, and one for each row with all else that makes it red.

    Args:
        matrix: what was found.
        file: the providers file, as annotations are to name it.
        line_of: the line of a provider, or of its expectation of a quirk (empty: of the provider itself); None if the
            file does not know the provider.
    """
    found = [_placed(title, text, file, line_of(name, quirk)) for name, quirk, title, text in _notes(matrix)]
    if len(found) <= MOST:
        return found
    rest = len(found) - MOST + 1
    return [*found[: MOST - 1], Annotation("conformance", f"{rest} more like these; the reports hold all", file)]


def _placed(title: str, text: str, file: str, line: int | None) -> Annotation:
    return Annotation(visible(title, 200), text, file if line else "", line)


def _notes(matrix: Matrix) -> Iterator[tuple[str, str, str, str]]:
    """Provider, quirk (empty for the provider as a whole), title and message."""
    for row in matrix.rows:
        name = row.provider["name"]
        if lines := [*_unexpected(matrix, row)]:
            yield name, "", f"{row.label}: {plural(len(lines), 'unexpected quirk')}", _few(lines)
        if name in matrix.must_run and row.gaps:
            count = sum(len(gap.places) for gap in row.gaps)
            lines = [visible(f"{gap.reason}: {gap.detail}{f'; {gap.fix}' if gap.fix else ''}") for gap in row.gaps]
            yield name, "", f"{row.label}: {plural(count, 'exchange')} not run", _few(lines)
    for one in matrix.stale:
        title = f"{one['provider']}: stale expectation {one['quirk']}"
        yield one["provider"], one["quirk"], title, visible(f"{one['quirk']} {disproof(one)}")


def _unexpected(matrix: Matrix, row: Row) -> Iterator[str]:
    for column in matrix.columns:
        cell = row.cells[column.slug]
        bad = [one for one in cell.evidence if not one.is_expected and one.finding["level"] in matrix.counting]
        if cell.state is State.UNEXPECTED and bad:
            first, source = bad[0], bad[0].exchange["evidence"]
            place = f"{source['cassette']}, {words.where(first)}" if source else words.where(first)
            level = first.finding["level"]
            yield visible(f"{level} {column.slug}, {cell.count}: {first.finding['message']} ({place})")


def _few(lines: list[str]) -> str:
    more = [f"and {len(lines) - _LINES} more"] if len(lines) > _LINES else []
    return "\n".join([*lines[:_LINES], *more])
