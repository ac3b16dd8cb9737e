"""One page a quirk: what it is, what a client does about it, who shows it, and what it looks like on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markupsafe import Markup

from conformance.impact import words as client_words
from conformance.impact.table import Cell as ClientCell
from conformance.impact.table import Row as Client
from conformance.model import Finding, Mode
from conformance.quirks import page as shared
from conformance.quirks.examples import transcript_of
from conformance.quirks.impact import quirk_impact
from conformance.quirks.registry import Example, Quirk, catalogue, judge
from conformance.report.cell import Cell, Column
from conformance.report.grid import MODES
from conformance.site import urls
from conformance.site.evidence_marks import mark
from conformance.site.evidence_quote import Fold, Piece, Quote, quotes, short
from conformance.site.frame import Context, page
from conformance.wire.documented import VARIANTS, Variant

_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False})


@dataclass(frozen=True, slots=True)
class Shown:
    """An example as a page shows it.

    Attributes:
        parts: of the exchange: what each is (empty for the first), and its bytes.
        finding: what it shows; None for a good one.
    """

    parts: tuple[tuple[str, tuple[Quote | Fold, ...]], ...]
    finding: Finding | None


@dataclass(frozen=True, slots=True)
class Breaks:
    """What it does to client libraries.

    Attributes:
        hurt: those that it harms, the most harmed first, with their pages.
        right: those that come out right.
        modes: in which they were asked.
    """

    hurt: tuple[tuple[Client, ClientCell, str], ...]
    right: tuple[Client, ...]
    modes: tuple[Mode, ...]


@dataclass(frozen=True, slots=True)
class Declared:
    """What this version's catalogue says about a quirk, ready to be shown."""

    quirk: Quirk
    about: Markup
    guards: tuple[tuple[str, str], ...]
    breaks: tuple[Variant, ...]
    impact: str
    good: Shown
    bad: tuple[Shown, ...]


def render(context: Context, column: Column) -> str:
    """The whole document.

    Args:
        context: what pages are made from.
        column: the quirk; of one that this version does not know, only who shows it can be said.
    """
    cells = [(row, row.cells[column.slug]) for row in context.matrix.shown]
    return page(
        context,
        "quirk.html.j2",
        urls.quirk(column.slug),
        title=column.slug,
        column=column,
        declared=_declared(column.slug),
        showing=[(row, cell) for row, cell in cells if cell.speaks],
        clear=[(row, cell, _looked(cell)) for row, cell in cells if not cell.speaks and _looked(cell)],
        silent=[row for row, cell in cells if not cell.speaks and not _looked(cell)],
        breaks=_breaks(context, column.slug),
        said=client_words,
        is_fold=lambda one: isinstance(one, Fold),
        short=short,
    )


def _looked(cell: Cell) -> str:
    """How many exchanges could have shown it: recorded here, and published; empty for none."""
    theirs = cell.published.applicable if cell.published is not None else 0
    return " + ".join(
        [*([str(cell.applicable)] if cell.applicable else []), *([f"{theirs} published"] if theirs else [])]
    )


def _breaks(context: Context, slug: str) -> Breaks | None:
    """What it does to client libraries; None if they were not asked."""
    impact = context.impact
    if impact is None or all(quirk["slug"] != slug for quirk in impact.table.quirks):
        return None
    hurt = impact.table.breaks(slug)
    asked = [row for row in impact.table.rows if slug in row.cells]
    modes = {mode for row in asked for mode in row.cells[slug].modes}
    return Breaks(
        tuple((row, cell, urls.client(impact.page(row))) for row, cell in hurt),
        tuple(row for row in asked if row.cells[slug].outcome == "right"),
        tuple(mode for mode in MODES if mode in modes),
    )


@cache
def _declared(slug: str) -> Declared | None:
    quirk = next((one for one in catalogue() if one.slug == slug), None)
    if quirk is None:
        return None
    hit = quirk_impact(slug)
    return Declared(
        quirk,
        # our own text, and no HTML of it gets through
        Markup(_MARKDOWN.render(quirk.doc)),
        tuple(shared.guards(quirk)),
        tuple(one for one in VARIANTS if one.name in hit),
        shared.impact(quirk),
        Shown(_parts(quirk, quirk.good[0], None), None),
        tuple(_bad(quirk, example) for example in quirk.bad),
    )


def _bad(quirk: Quirk, example: Example) -> Shown:
    finding = next(iter(judge(transcript_of(example), [quirk]).findings), None)
    return Shown(_parts(quirk, example, finding), finding)


def _parts(quirk: Quirk, example: Example, finding: Finding | None) -> tuple[tuple[str, tuple[Quote | Fold, ...]], ...]:
    answer: tuple[Quote | Fold, ...] = _plain(example.body)
    if finding is not None:
        transcript, where = transcript_of(example), finding.where
        marked = mark(transcript, {"event": where.event, "byte": where.byte, "pointer": where.pointer})
        answer = tuple(quotes(transcript, (marked,))) if marked is not None else answer
    return tuple(
        (caption, answer if text is example.body else _plain(text))
        for caption, text in shared.exchange_parts(quirk, example)
    )


def _plain(text: str) -> tuple[Quote, ...]:
    """Text as it is, line by line."""
    lines: Sequence[str] = text.rstrip("\n").split("\n")
    return (Quote("", tuple((Piece(line),) if line else () for line in lines), False),) if text else ()
