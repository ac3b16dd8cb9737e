"""Writes the site."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files as resources
from pathlib import Path

from conformance.report import files
from conformance.report.grid import Matrix
from conformance.site import evidence_page, matrix_page, provider_page, quirk_page, urls
from conformance.site.evidence_source import Recordings
from conformance.site.frame import Context


def build(matrix: Matrix, directory: Path, *, root: Path) -> list[Path]:
    """Write every page; the same input gives the same bytes.

    Args:
        matrix: what to show.
        directory: the site's folder; made if it is not there.
        root: the folder that evidence paths (`cassettes/…`) are relative to.

    Raises:
        ConfigError: a file cannot be written.
    """
    context = Context(matrix, root)
    return [files.write(directory / path, text) for path, text in _pages(context)]


def _pages(context: Context) -> Iterator[tuple[str, str]]:
    """Path and text of each file."""
    palette = _text("conformance.report", "templates/palette.css")
    yield urls.STYLE, palette + _text("conformance.site", urls.STYLE) + _text("conformance.site", "assets/pages.css")
    yield urls.SCRIPT, _text("conformance.site", urls.SCRIPT)
    yield urls.index(), matrix_page.render(context)
    for column in context.matrix.columns:
        yield urls.quirk(column.slug), quirk_page.render(context, column)
    for row in context.matrix.shown:
        recordings = Recordings(context.root)  # of this row; its pages read them together
        yield urls.provider(row), provider_page.render(context, recordings, row)
        for column in context.matrix.columns:
            if row.cells[column.slug].proven:
                yield urls.evidence(row, column.slug), evidence_page.render(context, recordings, row, column)


def _text(package: str, path: str) -> str:
    return resources(package).joinpath(path).read_text("utf-8")
