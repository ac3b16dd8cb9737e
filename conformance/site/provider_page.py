"""One page a row: what a provider does differently, what a client needs for it, and how its streams arrive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from conformance.impact import words as impact_words
from conformance.model import Level
from conformance.quirks.registry import Quirk, catalogue
from conformance.report import words
from conformance.report.cell import Cell, Column, State
from conformance.report.grid import MODES, Matrix, Row
from conformance.report.text import plural
from conformance.run.rows import ExchangeRow
from conformance.site import urls
from conformance.site.evidence_quote import short
from conformance.site.evidence_source import Recordings
from conformance.site.frame import Context, page
from conformance.site.provider_clients import harmed
from conformance.site.provider_ids import ids
from conformance.site.provider_pace import pace

_TITLES: Final[dict[str, str]] = {
    "must": "Must: a careful client loses or corrupts calls",
    "should": "Should: the reference says otherwise, a careful client survives",
    "info": "Info: legal variations",
    "reported": "Only reported by others",
    "client": "What clients sent back: the provider is not to blame",
}
_COMMENTS: Final = {"Python": "#", "TypeScript": "//"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A quirk of a row: its cell, the level that the best evidence gives it, its declaration if known."""

    column: Column
    cell: Cell
    level: Level
    quirk: Quirk | None

    @property
    def said(self) -> bool:
        """Whether nothing but reports speaks of it."""
        return not self.cell.found and not self.cell.published_found and self.cell.state is not State.STALE

    @property
    def basis(self) -> str:
        """What its guard rests on: the best evidence there is."""
        if self.cell.found:
            return "found here"
        if self.cell.published_found:
            return "found in published recordings"
        return "only reported" if self.cell.reported else "expected, and not found"


@dataclass(frozen=True, slots=True)
class Part:
    """Quirks under one heading."""

    name: str
    title: str
    quirks: tuple[Shown, ...]

    @property
    def published(self) -> bool:
        """Whether recordings of others say something about any of them."""
        return any(one.cell.published is not None for one in self.quirks)

    @property
    def reported(self) -> bool:
        """Whether somebody reports any of them."""
        return any(one.cell.reported for one in self.quirks)

    @property
    def dated(self) -> bool:
        """Whether it is known since when any of them shows."""
        return any(one.cell.since for one in self.quirks)


@dataclass(frozen=True, slots=True)
class Code:
    """The guards of several quirks in one language, line by line."""

    language: str
    lines: tuple[str, ...]


def render(context: Context, recordings: Recordings, row: Row) -> str:
    """The whole document.

    Args:
        context: what pages are made from.
        recordings: where the bytes of its exchanges are read.
        row: one of those that the matrix shows.
    """
    matrix = context.matrix
    exchanges = _exchanges(matrix, row)
    parts = tuple(_parts(matrix, row))
    impact = context.impact
    guarded = [one for part in parts if part.name != "client" for one in part.quirks if one.level != "info"]
    return page(
        context,
        "provider.html.j2",
        urls.provider(row),
        title=row.label,
        row=row,
        verdict=words.verdict(row) if row.judged else words.unmeasured(matrix, row),
        sources=[_source(one) for one in row.provider["source"]],
        modes=[(mode, row.tallies[mode]) for mode in MODES if row.tallies[mode].judged or row.tallies[mode].not_run],
        parts=parts,
        guarded=guarded,
        codes=list(_codes(guarded)),
        ids=ids(exchanges),
        harmed=harmed(impact, row) if impact is not None else None,
        said=impact_words,
        pace=pace(recordings, exchanges),
        fates=[one for one in matrix.fates() if one.provider == row.provider["name"]],
        short=short,
    )


def _exchanges(matrix: Matrix, row: Row) -> list[ExchangeRow]:
    name = row.provider["name"]
    return [one for one in matrix.exchanges if one["provider"] == name and one["model"] == row.model]


def _parts(matrix: Matrix, row: Row) -> Iterator[Part]:
    """What was found, the gravest first and our own recordings before published ones; then what is only reported."""
    parts: dict[str, list[Shown]] = {name: [] for name in _TITLES}
    declared = {one.slug: one for one in catalogue()}
    for column in matrix.columns:
        cell = row.cells[column.slug]
        if cell.speaks:
            shown = Shown(column, cell, _level(column, cell), declared.get(column.slug))
            blameless = column.layer == "client" and not cell.found
            parts["client" if blameless else "reported" if shown.said else shown.level].append(shown)
    for name, quirks in parts.items():
        if quirks:
            title = _TITLES[name] + (_unseen(row) if name == "reported" else "")
            yield Part(name, title, tuple(sorted(quirks, key=lambda one: not one.cell.found)))


def _unseen(row: Row) -> str:
    """Where that which is only reported was looked for in vain."""
    theirs = row.published.exchanges if row.published is not None else 0
    looked = [f"the {plural(row.judged, 'exchange')} here"] if row.judged else []
    looked += [f"{plural(theirs, 'published exchange')}"] if theirs else []
    return f" (not seen in {' or in '.join(looked)})" if looked else ""


def _level(column: Column, cell: Cell) -> Level:
    """How grave the best evidence shows it, as the first page counts it."""
    if cell.found:
        return cell.level
    return cell.published.level if cell.published is not None and cell.published_found else column.level


def _codes(guarded: Sequence[Shown]) -> Iterator[Code]:
    """All guards that are code, in one block a language."""
    for language, comment in _COMMENTS.items():
        lines: list[str] = []
        for one in guarded:
            code = "" if one.quirk is None else one.quirk.guard_python
            if one.quirk is not None and language == "TypeScript":
                code = one.quirk.guard_typescript
            if code:
                basis = f" ({one.basis})" if one.said else ""
                lines += ["", f"{comment} {one.column.slug}: {one.column.title}{basis}", *code.splitlines()]
        if lines:
            yield Code(language, tuple(lines[1:]))


def _source(text: str) -> tuple[str, str]:
    """A source as an address (empty if it is none) and what stands behind it."""
    address, _, rest = text.partition(" ")
    return (address, rest) if address.startswith(("https://", "http://")) else ("", text)
