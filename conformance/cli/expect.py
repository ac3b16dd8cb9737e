"""`conformance expect`: what to write into providers.yaml for what a run found."""

from __future__ import annotations

from pathlib import Path

import click

_EPILOG = """\b
Example:
  conformance run --provider acme -o runs/acme           red
  conformance expect --from runs/acme                    lines to look at, and to paste
"""


@click.command(epilog=_EPILOG, short_help="Propose expectations for what a run found.")
@click.option(
    "--from",
    "path",
    type=click.Path(path_type=Path),
    default=Path("runs/latest"),
    show_default=True,
    metavar="RUN.jsonl",
    help="The record a run wrote, or the folder that holds it.",
)
@click.option("--strict", is_flag=True, help="'should' findings as well.")
def command(path: Path, strict: bool) -> int:
    """Print an expectation for each unexpected finding of a run, as narrow as what was seen.

    Look at each before you paste it under its provider in providers.yaml: an expectation says that the deviation is
    known and accepted, and who told so. Expectations that the run disproved stand there as comments.
    """
    from conformance.run.propose import proposals
    from conformance.run.record import load_record

    record = load_record(path / "run.jsonl" if path.is_dir() else path, incomplete=True)
    text = proposals(record, strict=strict)
    if text:
        click.echo(text, nl=False)
    else:
        click.echo("nothing unexpected and nothing stale: no expectation to write", err=True)
    return 0
