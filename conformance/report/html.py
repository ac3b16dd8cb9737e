"""`quirks.html`: one file that needs no network and no script."""

from __future__ import annotations

from functools import cache
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from conformance.report import words
from conformance.report.files import BESIDE, link
from conformance.report.grid import Matrix, Row, State, place
from conformance.report.text import anchor, plural, visible

SHOWN: Final = 5
"""Findings shown per cell; the record and the JSON hold more."""


def render(matrix: Matrix, base: str = BESIDE) -> str:
    """The whole document.

    Args:
        matrix: what to show.
        base: the way from the document to the folder that evidence is relative to.
    """
    found = [column for column in matrix.found() if any(row.cells[column.slug].found for row in matrix.rows)]
    template = _environment().get_template("quirks.html.j2")
    return template.render(
        matrix=matrix,
        found=matrix.found(),
        proven=found,
        looked=[(column, n) for column, n in matrix.nowhere() if n],
        never=[column for column, n in matrix.nowhere() if not n],
        guards=words.guards(matrix),
        fates=list(matrix.fates()),
        gaps=[row for row in matrix.rows if row.gaps or row.provider.get("left_out")],
        states=list(State),
        shown=SHOWN,
        words=words,
        href=lambda cassette: link(base, cassette),
        evidence_id=_evidence_id,
        quirk_id=lambda slug: anchor("quirk", slug),
        place=place,
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("conformance.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_finalize,
    )
    environment.filters["plural"] = plural
    environment.filters["ticked"] = _ticked
    return environment


def _finalize(value: object) -> object:
    """Make every value visible before it is escaped, so that no template can forget to."""
    if isinstance(value, Markup):
        return value
    return escape(visible(value, 4000)) if isinstance(value, str) else value


def _ticked(text: str) -> Markup:
    """A sentence in which backticks mark code, as titles and guards have it."""
    parts = [escape(part) for part in visible(text, 1000).split("`")]
    if len(parts) % 2 == 0:
        return escape(visible(text, 1000))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if number % 2 else part for number, part in enumerate(parts)
    )


def _evidence_id(row: Row, slug: str) -> str:
    return anchor("evidence", slug, row.key)
