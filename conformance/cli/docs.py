"""`conformance docs`: the pages about the quirks, generated from their declarations."""

from __future__ import annotations

from pathlib import Path

import click

from conformance.errors import ConfigError


@click.command(short_help="Write the pages about the quirks.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=Path("docs/quirks"), show_default=True, metavar="DIR"
)
@click.option("--check", is_flag=True, help="Write nothing; fail if the pages are not current.")
def command(output: Path, check: bool) -> int:
    """Write docs/quirks: one page per quirk and an index."""
    pages = render()
    there = {p.name for p in output.glob("*.md")} if output.is_dir() else set()
    stale = sorted(
        name for name, text in pages.items() if name not in there or (output / name).read_text("utf-8") != text
    )
    extra = sorted(there - set(pages))
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


def render() -> dict[str, str]:
    """Every page by file name."""
    from conformance.quirks import catalogue
    from conformance.quirks.page import index, page

    return {"README.md": index(), **{f"{q.slug}.md": page(q) for q in catalogue()}}
