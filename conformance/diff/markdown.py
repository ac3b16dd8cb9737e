"""A comparison as GitHub shows it. Whatever a provider wrote is escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conformance.diff import words
from conformance.diff.changes import CellChange, Diff
from conformance.report.text import prose


def render(diff: Diff, *, everything: bool = False) -> str:
    """The whole document.

    Args:
        diff: what to show.
        everything: also counts that differ insignificantly.
    """
    cells = diff.cells if everything else diff.listed
    red = [one for one in cells if one.unexpected]
    rest = [one for one in cells if not one.unexpected and not one.why]
    silent = [one for one in cells if not one.unexpected and one.why]
    parts = [
        [f"# {prose(words.title(diff), 1000)}\n", f"**{prose(words.totals(diff))}**"],
        _rows(diff),
        _cells("Unexpected", red),
        _cells("Other changes", rest),
        _cells("Not comparable", silent),
        [f"## What the sides do not share\n\n{_bullets(diff.notes)}"] if diff.notes else [],
        [f"<sub>{prose(words.LEGEND, 1000)}</sub>"] if cells else [],
    ]
    return "\n\n".join("\n".join(lines) for lines in map(list, parts) if lines) + "\n"


def _rows(diff: Diff) -> Iterator[str]:
    if diff.rows:
        yield "## What was measured\n"
        rows, absent = words.rows(diff)
        for one in rows:
            text = prose(words.measuring(one), 2000)
            yield f"- {prose(words.row(one))}: {f'**{text}**' if one.unexpected else text}"
        if absent:
            yield f"- {prose(absent, 2000)}"


def _cells(heading: str, cells: Sequence[CellChange]) -> Iterator[str]:
    if not cells:
        return
    yield f"## {heading}\n"
    yield "| provider | model | quirk | level | change | | before | now | p |"
    yield "| --- | --- | --- | --- | --- | --- | ---: | ---: | ---: |"
    for one in cells:
        parts = [one.provider, one.model, one.quirk, one.level, words.kinds(one), words.remark(one)]
        parts += [words.count(one.old, with_level=True), words.count(one.new, with_level=True), words.chance(one)]
        yield f"| {' | '.join(map(prose, parts))} |"


def _bullets(sentences: Sequence[str]) -> str:
    return "\n".join(f"- {prose(sentence, 2000)}" for sentence in sentences)
