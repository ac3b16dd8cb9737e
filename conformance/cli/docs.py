"""`conformance docs`: the pages about the quirks, from their declarations and from what clients make of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from conformance.errors import ConfigError

if TYPE_CHECKING:
    from conformance.impact.table import Table

_CLIENTS: Final = Path("reports/clients.json")


@click.command(short_help="Write the pages about the quirks.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=Path("docs/quirks"), show_default=True, metavar="DIR"
)
@click.option(
    "--clients",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=f"What client libraries make of quirks.  [default: {_CLIENTS}, if it is there]",
)
@click.option("--check", is_flag=True, help="Write nothing; fail if the pages are not current.")
def command(output: Path, clients: Path | None, check: bool) -> int:
    """Write docs/quirks: one page per quirk and an index.

    Without a clients.json, what the pages say of client libraries stays as it is, and is not checked.
    """
    there = {path.name: path.read_text("utf-8") for path in output.glob("*.md")} if output.is_dir() else {}
    pages = _pages(clients, there)
    stale = sorted(name for name, text in pages.items() if there.get(name) != text)
    extra = sorted(there.keys() - pages.keys())
    if check:
        if stale or extra:
            names = ", ".join([*stale, *extra][:5])
            raise ConfigError(
                f"{output}: {len(stale) + len(extra)} pages are not current ({names}); run 'conformance docs'"
            )
        return 0
    try:
        output.mkdir(parents=True, exist_ok=True)
        for name in stale:
            (output / name).write_text(pages[name], encoding="utf-8")
        for name in extra:
            (output / name).unlink()
    except OSError as error:
        raise ConfigError(f"{output}: cannot be written ({error.strerror}); choose another folder with -o") from None
    click.echo(f"{len(pages)} pages in {output}, {len(stale)} written, {len(extra)} removed", err=True)
    return 0


def render(table: Table | None = None) -> dict[str, str]:
    """Every page by file name; what it does to client libraries stands in it if they were measured."""
    from conformance.quirks import catalogue
    from conformance.quirks.page import index, page

    pages = {"README.md": index(), **{f"{q.slug}.md": page(q) for q in catalogue()}}
    if table is not None:
        from conformance.impact.breaks import section

        for quirk in catalogue():
            if said := section(table, quirk.slug):
                pages[f"{quirk.slug}.md"] += f"\n{said}"
    return pages


def _pages(clients: Path | None, there: dict[str, str]) -> dict[str, str]:
    """Every page; where nothing is at hand about clients, with what is there already."""
    if clients is None and not _CLIENTS.is_file():
        from conformance.impact.breaks import without

        kept = {name: without(text)[1] for name, text in there.items()}
        return {name: text + (f"\n{kept[name]}" if kept.get(name) else "") for name, text in render().items()}
    from conformance.impact import documents

    return render(documents.clients(clients or _CLIENTS))
