"""`quirks.html`: one file that needs no network and no script."""

from __future__ import annotations

from functools import cache
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from conformance.report import words
from conformance.report.cell import State
from conformance.report.elsewhere import Kind, Published, url
from conformance.report.files import BESIDE, link
from conformance.report.grid import Matrix, place
from conformance.report.summary import KINDS, groups, guards, mentions, nothing
from conformance.report.text import anchor, place_of, plural, visible

SHOWN: Final = 5
"""Findings, and published recordings, shown per cell; the record and the JSON hold more."""
SHOWN_INFO: Final = 2
"""The same of published recordings that show a legal variation."""


def render(matrix: Matrix, base: str = BESIDE) -> str:
    """The whole document.

    Args:
        matrix: what to show.
        base: the way from the document to the folder that evidence is relative to.
    """
    template = _environment().get_template("quirks.html.j2")
    return template.render(
        matrix=matrix,
        groups=groups(matrix),
        looked=[(column, words.looked(n, theirs)) for column, n, theirs in matrix.nowhere() if n or theirs],
        never=[column for column, n, theirs in matrix.nowhere() if not n and not theirs],
        guards=guards(matrix),
        fates=list(matrix.fates()),
        gaps=[row for row in matrix.rows if row.gaps or row.provider.get("left_out")],
        states=list(State),
        kinds=list(Kind),
        evidence_kinds=list(zip(KINDS, ("recorded here", "published", "reported"), strict=True)),
        shown=SHOWN,
        few=_few,
        words=words,
        mentions=lambda row, kind: mentions(matrix, row, kind),
        nothing=nothing,
        href=lambda cassette: link(base, cassette),
        url=url,
        place_of=place_of,
        anchor=anchor,
        place=place,
    )


def _few(published: Published) -> int:
    return SHOWN_INFO if published.level == "info" else SHOWN


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
