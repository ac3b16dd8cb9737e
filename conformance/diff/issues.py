"""One Markdown file for each change that somebody has to look at, or may close: the text of an issue.

The first line is the title; then comes a hidden line with the key of the cell, by which an issue that is open already
is found again, and one with what to do; then the body. Expected changes and legal variations need no issue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from conformance.diff import words
from conformance.diff.changes import CellChange, Diff, Kind, RowChange
from conformance.report.text import anchor, code, prose, ticked
from conformance.text import visible

NOT_RUNNING: Final = "not-running"
"""Stands for the quirk where the change is that a provider could not be run."""

SHOWN: Final = 3
_LONGEST: Final = 80
_IN_TITLE: Final = re.compile(r"[<>`*\[\]\\|~&]")


def render(diff: Diff) -> dict[str, str]:
    """Text by file name: `<provider>--<model>--<quirk>.md`, the same name for the same cell every night."""
    files: dict[str, str] = {}
    changes: list[CellChange | RowChange] = [*diff.rows, *diff.cells]
    for change in changes:
        if change.unexpected or change.resolved:
            slug = change.quirk if isinstance(change, CellChange) else NOT_RUNNING
            name = "--".join(anchor(part)[:_LONGEST] for part in (change.provider, change.model, slug))
            while f"{name}.md" in files:
                name += "-x"
            files[f"{name}.md"] = "\n".join(_text(diff, change, slug)) + "\n"
    return files


def key(provider: str, model: str, slug: str) -> str:
    """What names a cell in the hidden line; `NOT_RUNNING` instead of a quirk's slug where the measuring is meant."""
    return "/".join(quote(part, safe="", errors="replace") for part in (provider, model, slug))


def _text(diff: Diff, change: CellChange | RowChange, slug: str) -> Iterator[str]:
    about = f"{slug} ({change.level}): {words.kinds(change)}" if isinstance(change, CellChange) else change.kind.slug
    yield "# " + _IN_TITLE.sub("?", visible(f"{words.row(change)}: {about}", 200))
    yield f"<!-- conformance-cell: {key(change.provider, change.model, slug)} -->"
    yield f"<!-- conformance-change: {'unexpected' if change.unexpected else 'resolved'} -->"
    yield ""
    if isinstance(change, CellChange):
        yield from _cell(diff, change)
    else:
        yield f"{prose(words.row(change))}: {prose(words.measuring(change), 2000)}."
    yield ""
    yield f"Compared: {code(diff.old.name)} {prose(diff.old.days)} with {code(diff.new.name)} {prose(diff.new.days)}."
    for note in diff.notes:
        yield f"- {prose(note, 2000)}"


def _cell(diff: Diff, change: CellChange) -> Iterator[str]:
    quirk = diff.new.quirks.get(change.quirk) or diff.old.quirks.get(change.quirk, {})
    yield f"{ticked(str(quirk.get('title', change.quirk)))}."
    yield ""
    yield "| | before | now |\n| --- | ---: | ---: |"
    yield f"| found in | {words.count(change.old, with_level=True)} | {words.count(change.new, with_level=True)} |"
    yield f"| state | {_state(change, old=True)} | {_state(change, old=False)} |"
    yield ""
    meanings = "; ".join(kind.meaning for kind in change.kinds)
    yield f"{words.kinds(change)}: {meanings}.{f' {prose(change.why)}.' if change.why else ''}"
    if change.p is not None:
        yield f"Counts at least this different come by chance with p = {words.chance(change)}."
    if evidence := change.tells.evidence[:SHOWN]:
        yield "\nEvidence:\n"
        yield from map(_finding, evidence)
    if guard := quirk.get("guard"):
        yield f"\nGuard for clients: {ticked(str(guard))}"
    yield f"\nWhat to do: {_advice(change)}"


def _advice(change: CellChange) -> str:
    if change.resolved:
        return "nothing is left to do; this can be closed."
    if Kind.STALE in change.kinds:
        return "take the expectation out of the providers file, or correct its rate, if the evidence bears that out."
    return (
        f"look at the evidence; {code(f'conformance explain {change.quirk}')} says what the quirk means. If it is "
        "known and accepted, add the expectation that `conformance expect --from RUN` proposes to the providers file."
    )


def _state(change: CellChange, *, old: bool) -> str:
    seen = change.old if old else change.new
    if seen is None:
        return "–"
    return f"{seen.state}{f', since {prose(seen.since)}' if seen.since else ''}"


def _finding(one: Mapping[str, Any]) -> str:
    source = one["evidence"]
    where = f"{source['cassette']}#{source['interaction']}" if source else f"{one['scenario']}/{one['mode']}"
    place = one["where"]
    parts = [f"{name} {place[name]}" for name in ("event", "byte") if place[name] is not None]
    parts += [place["pointer"]] if place["pointer"] else []
    came = f" Came: {code(one['actual'])}." if one["actual"] else ""
    at = f", {code(', '.join(parts))}" if parts else ""
    return f"- {code(where)}{at}: {code(one['message'])}.{came}"
