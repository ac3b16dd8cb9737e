"""`conformance config`: check providers.yaml, print its schema."""

from __future__ import annotations

from pathlib import Path

import click


@click.group(short_help="Check providers.yaml, or print its schema.")
def command() -> None:
    """Check the providers file, or print the JSON Schema that editors complete it with."""


@command.command(short_help="Say everything that is wrong with a providers file.")
@click.argument("files", nargs=-1, metavar="[FILE]...", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "github"]),
    help="github: annotations for a pull request; the default in GitHub Actions.",
)
def check(files: tuple[Path, ...], form: str | None) -> int:
    """Say everything that is wrong with FILE (default: providers.yaml), with line numbers, in one pass."""
    from conformance.cli import actions
    from conformance.errors import ConfigError
    from conformance.providers.load import load
    from conformance.quirks import catalogue
    from conformance.scenarios import catalogue as scenarios
    from conformance.text import plural

    quirks, names = [q.slug for q in catalogue()], [s.name for s in scenarios()]
    code = 0
    for file in files or (Path("providers.yaml"),):
        try:
            loaded = load(file, known_quirks=quirks, known_scenarios=names)
        except ConfigError as error:
            code = error.exit_code
            if form == "github" or (form is None and actions.running()):
                actions.annotate(actions.problems(error))
            else:
                click.echo(str(error), err=True)
            continue
        expectations = sum(len(p.expectations) for p in loaded.providers.values())
        counts = f"{plural(len(loaded.providers), 'provider')}, {plural(expectations, 'expectation')}"
        click.echo(f"{file}: {counts}, nothing wrong")
    return code


@command.command(short_help="Print the JSON Schema of providers.yaml.")
def schema() -> int:
    """Print the JSON Schema of providers.yaml."""
    from conformance.providers.schema import render
    from conformance.quirks import catalogue

    click.echo(render([q.slug for q in catalogue()]), nl=False)
    return 0
