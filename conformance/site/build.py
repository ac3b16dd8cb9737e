"""Makes the site."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files as resources
from pathlib import Path, PurePosixPath

from conformance.impact.table import Table
from conformance.report.grid import Matrix
from conformance.report.publish import publish
from conformance.site import (
    client_page,
    clients_page,
    evidence_page,
    matrix_page,
    provider_page,
    quirk_page,
    urls,
)
from conformance.site.clients import impact
from conformance.site.evidence_source import Recordings
from conformance.site.frame import Context


def build(matrix: Matrix, directory: Path, *, root: Path, clients: Table | None = None) -> list[Path]:
    """Write every page, and copies of the cassettes that findings rest on; the same input gives the same bytes.

    Pages of an older site in the folder that are no part of this one are removed.

    Args:
        matrix: what to show.
        directory: the site's folder; made if it is not there.
        root: the folder that evidence paths (`cassettes/…`) are relative to.
        clients: what client libraries make of quirks; None for a site without pages about them.

    Raises:
        ConfigError: a file cannot be written, or a file that no site wrote is in the way.
    """
    cassettes = dict(_cassettes(matrix, root))
    joined = impact(clients, matrix) if clients is not None else None
    context = Context(matrix, root, frozenset(cassettes), joined)
    pages = {path: text.encode("utf-8") for path, text in _pages(context)}
    return publish(directory, pages | cassettes, urls.CHECKSUMS)


def _pages(context: Context) -> Iterator[tuple[str, str]]:
    """Path and text of each file."""
    style = _text("conformance.report", "templates/palette.css")
    yield urls.STYLE, style + _text("conformance.site", urls.STYLE) + _text("conformance.site", "assets/pages.css")
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
    yield from _clients(context)


def _clients(context: Context) -> Iterator[tuple[str, str]]:
    """The pages about clients, if any were measured."""
    joined = context.impact
    if joined is not None:
        yield urls.clients(), clients_page.by_quirk(context, joined)
        yield urls.client_providers(), clients_page.by_provider(context, joined)
        for client in joined.table.rows:
            yield urls.client(joined.page(client)), client_page.render(context, joined, client)


def _cassettes(matrix: Matrix, root: Path) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of each cassette that a finding rests on; one that cannot be read is not linked."""
    shown = (row["evidence"]["cassette"] for row in matrix.exchanges if row["evidence"] and row["findings"])
    for name in dict.fromkeys(shown):
        path = PurePosixPath(name)
        # a record from elsewhere may name any file
        if path.suffix != ".yaml" or path.is_absolute() or ".." in path.parts or "\\" in name:
            continue
        try:
            yield name, (root / path).read_bytes()
        except (OSError, ValueError):
            continue


def _text(package: str, path: str) -> str:
    return resources(package).joinpath(path).read_text("utf-8")
