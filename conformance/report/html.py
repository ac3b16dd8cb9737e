"""`quirks.html`: one file that needs no network and no script."""

from __future__ import annotations

from typing import Final

from conformance.report import words
from conformance.report.elsewhere import Published
from conformance.report.environment import environment
from conformance.report.files import BESIDE, link
from conformance.report.grid import Matrix
from conformance.report.summary import KINDS, groups, guards, mentions, nothing
from conformance.report.text import anchor

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
    template = environment().get_template("report/quirks.html.j2")
    return template.render(
        matrix=matrix,
        groups=groups(matrix),
        looked=[(column, words.looked(n, theirs)) for column, n, theirs in matrix.nowhere() if n or theirs],
        never=[column for column, n, theirs in matrix.nowhere() if not n and not theirs],
        guards=guards(matrix),
        fates=list(matrix.fates()),
        gaps=[row for row in matrix.rows if row.gaps or row.provider.get("left_out")],
        evidence_kinds=list(zip(KINDS, ("recorded here", "published", "reported"), strict=True)),
        shown=SHOWN,
        few=_few,
        mentions=lambda row, kind: mentions(matrix, row, kind),
        nothing=nothing,
        href=lambda cassette: link(base, cassette),
        to_quirk=lambda slug: f"#{anchor('quirk', slug)}",
    )


def _few(published: Published) -> int:
    return SHOWN_INFO if published.level == "info" else SHOWN
