"""`conformance list`: quirks, scenarios, providers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import orjson


@click.command(short_help="List quirks, scenarios or providers.")
@click.argument("what", type=click.Choice(["quirks", "scenarios", "providers"]))
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--area", help="Only quirks of this area.")
@click.option(
    "--config", type=click.Path(path_type=Path), default=Path("providers.yaml"), show_default=True, metavar="FILE"
)
def command(what: str, form: str, area: str | None, config: Path) -> int:
    """List what there is; --format json is made for CI matrices."""
    rows = _quirks(area) if what == "quirks" else _scenarios() if what == "scenarios" else _providers(config)
    if form == "json":
        click.echo(orjson.dumps(rows, option=orjson.OPT_INDENT_2))
        return 0
    cells = [["-" if value is None else str(value) for value in row.values()] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    return 0


def _quirks(area: str | None) -> list[dict[str, Any]]:
    from conformance.errors import SelectionError
    from conformance.quirks import catalogue

    rows = [
        {"slug": q.slug, "level": q.level, "area": q.area, "title": q.title}
        for q in catalogue()
        if area is None or q.area == area
    ]
    if not rows:
        areas = ", ".join(sorted({q.area for q in catalogue()}))
        raise SelectionError(f"no quirk is in the area {area!r}; areas: {areas}")
    return rows


def _scenarios() -> list[dict[str, Any]]:
    from conformance.scenarios import catalogue

    return [{"name": s.name, "modes": "+".join(s.modes), "steps": s.steps, "title": s.title} for s in catalogue()]


def _providers(config: Path) -> list[dict[str, Any]]:
    from conformance.providers.load import load

    return [
        {
            "name": p.name,
            "api_key_env": p.api_key_env,
            "verified": str(p.verified),
            "base_url": p.base_url,
        }
        for p in load(config).providers.values()
    ]
