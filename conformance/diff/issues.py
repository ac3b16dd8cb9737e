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
from conformance.diff.night import Night
from conformance.report.text import anchor, code, prose, ticked
from conformance.text import visible

NOT_RUNNING: Final = "not-running"
"""Stands for the quirk where the change is that a provider could not be run."""

SHOWN: Final = 3
_PLAIN: Final = {
    Kind.NEW_ONLY: "found, nothing known before",
    Kind.OLD_ONLY: "no longer measured",
    Kind.STALE: "expectation stale",
    Kind.NO_LONGER_STALE: "expectation no longer stale",
}
"""What a title says where the name of a change is not plain by itself."""
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
    about = f"{slug} ({change.level}): {_kinds(change)}" if isinstance(change, CellChange) else change.kind.slug
    yield "# " + _IN_TITLE.sub("?", visible(f"{words.row(change)}: {about}", 200))
    yield f"<!-- conformance-cell: {key(change.provider, change.model, slug)} -->"
    yield f"<!-- conformance-change: {'unexpected' if change.unexpected else 'resolved'} -->"
    yield ""
    if isinstance(change, CellChange):
        yield from _cell(diff, change)
    else:
        yield f"{prose(words.row(change))}: {prose(words.measuring(change), 2000)}."
    yield ""
    yield f"Compared: {_named(diff.old)} with {_named(diff.new)}."
    for note in diff.notes:
        yield f"- {prose(note, 2000)}"


def _named(night: Night) -> str:
    return f"{code(night.name)} ({prose(night.days)})" if night.days else code(night.name)


def _cell(diff: Diff, change: CellChange) -> Iterator[str]:
    quirk = diff.new.quirks.get(change.quirk) or diff.old.quirks.get(change.quirk, {})
    yield f"{ticked(str(quirk.get('title', change.quirk)))}."
    yield ""
    yield "| | before | now |\n| --- | ---: | ---: |"
    yield f"| found in | {words.count(change.old, with_level=True)} | {words.count(change.new, with_level=True)} |"
    yield f"| state | {_state(change, old=True)} | {_state(change, old=False)} |"
    yield ""
    meanings = "; ".join(kind.meaning for kind in change.kinds)
    side = "Before" if Kind.NEW_ONLY in change.kinds else "Now"
    why = f" {side}: {prose(change.why)}." if change.why else ""
    yield f"{meanings[:1].upper()}{meanings[1:]}.{why}"
    if change.varies:
        yield f"It comes and goes since {prose(change.varies)}, says the history."
    if change.p is not None:
        yield f"Counts at least this different come by chance with {words.probability(change)}."
    if evidence := change.tells.evidence[:SHOWN]:
        yield "\nEvidence:\n"
        yield from map(_finding, evidence)
    if guard := quirk.get("guard"):
        yield f"\nGuard for clients: {ticked(str(guard))}"
    yield f"\nWhat to do: {_advice(change)}"


def _kinds(change: CellChange) -> str:
    return ", ".join(_PLAIN.get(kind, kind.slug.replace("-", " ")) for kind in change.kinds)


def _advice(change: CellChange) -> str:
    if change.resolved:
        return "nothing is left to do; this can be closed."
    if Kind.STALE in change.kinds:
        return "take the expectation out of the providers file, or correct its rate, if the evidence bears that out."
    if change.varies:
        return (
            "an expectation with a `rate` in the providers file keeps what comes and goes from being news, and is "
            "disproved once it shows more often than that."
        )
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
