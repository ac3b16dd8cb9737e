"""`conformance config`: check providers.yaml, print its schema."""

from __future__ import annotations

from pathlib import Path

import click


@click.group(short_help="Check providers.yaml, or print its schema.")
def command() -> None:
    """Check the providers file, or print the JSON Schema that editors complete it with."""


@command.command(short_help="Say everything that is wrong with a providers file.")
@click.argument("file", type=click.Path(path_type=Path), default=Path("providers.yaml"))
def check(file: Path) -> int:
    """Say everything that is wrong with FILE (default: providers.yaml), with line numbers, in one pass."""
    from conformance.providers.load import load
    from conformance.quirks import catalogue
    from conformance.scenarios import catalogue as scenarios

    loaded = load(file, known_quirks=[q.slug for q in catalogue()], known_scenarios=[s.name for s in scenarios()])
    expectations = sum(len(p.expectations) for p in loaded.providers.values())
    click.echo(f"{file}: {len(loaded.providers)} providers, {expectations} expectations, nothing wrong")
    return 0


@command.command(short_help="Print the JSON Schema of providers.yaml.")
def schema() -> int:
    """Print the JSON Schema of providers.yaml."""
    from conformance.providers.schema import render
    from conformance.quirks import catalogue

    click.echo(render([q.slug for q in catalogue()]), nl=False)
    return 0
