"""A comparison on a terminal: one line a change, what is unexpected first."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.diff import words
from conformance.diff.changes import CellChange, Diff
from conformance.text import visible

RED, PLAIN = "✕", "·"


def lines(diff: Diff, *, everything: bool = False) -> Iterator[tuple[bool, str]]:
    """Each line, and whether it is about something unexpected.

    Args:
        diff: what to show.
        everything: also counts that differ insignificantly.
    """
    yield False, visible(words.title(diff), 1000)
    rows, absent = words.rows(diff)
    shown: list[tuple[bool, str]] = [(one.unexpected, f"{words.row(one)}: {words.measuring(one)}") for one in rows]
    shown += [(one.unexpected, _cell(one)) for one in (diff.cells if everything else diff.listed)]
    for red, text in sorted(shown, key=lambda item: not item[0]):
        yield red, visible(f"{RED if red else PLAIN} {text}", 1000)
    for note in filter(None, (absent, *diff.notes)):
        yield False, visible(note, 1000)
    yield bool(diff.unexpected), words.totals(diff)


def _cell(one: CellChange) -> str:
    standing = f" ({said})" if (said := words.standing(one)) else ""
    why = f"; {one.why}" if one.why else ""
    varies = f"; comes and goes since {one.varies}" if one.varies else ""
    return f"{words.row(one)}: {one.level} {one.quirk}: {words.kinds(one)}{standing}: {words.counts(one)}{why}{varies}"
