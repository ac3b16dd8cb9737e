"""`conformance report`: show run records, one or several, in any format."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from conformance.report.matrix import Matrix
    from conformance.run.record import Record

_EPILOG = """\b
Exit codes: 0 nothing unexpected; 1 unexpected findings, stale expectations, or exchanges
that could not be had; 4 a record cannot be read or is incomplete; 5 nothing was measured.

\b
Examples:
  conformance report runs/latest                         the verdicts, in the terminal
  conformance report runs/latest -o reports              quirks.md, quirks.html, quirks.json, junit.xml
  conformance report runs/latest -f html -o site         a site: open site/index.html
  conformance report night/*/run.jsonl -f markdown       one table from one job per provider
  conformance report night/*/run.jsonl -f step-summary >> "$GITHUB_STEP_SUMMARY"
  conformance report runs/latest -f badges -o badges     badges/acme.json, badges/all.json for shields.io
"""


@click.command(epilog=_EPILOG, short_help="Show run records as a table, a page, JSON or JUnit.")
@click.argument("paths", nargs=-1, required=True, metavar="RUN.jsonl...", type=click.Path(path_type=Path))
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["terminal", "markdown", "html", "json", "junit", "excerpt", "step-summary", "badges"]),
    help="Default: terminal; with -o all files. html: one page; with -o a site. excerpt: the table for a README. "
    "badges: for shields.io, with -o.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Write files into this folder.")
@click.option(
    "--observations",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Show published evidence beside: what audit --observations wrote; repeatable.",
)
@click.option(
    "--history",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Say since when, by what 'conformance history add' wrote.",
)
@click.option(
    "--clients",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Show what client libraries make of it, by the clients.json of 'conformance clients run'; for a site.",
)
@click.option("--strict", is_flag=True, help="'should' findings count as well.")
@click.option("--allow-incomplete", is_flag=True, help="Show a record whose run did not finish.")
def command(
    paths: tuple[Path, ...],
    form: str | None,
    output: Path | None,
    observations: tuple[Path, ...],
    history: Path | None,
    clients: Path | None,
    strict: bool,
    allow_incomplete: bool,
) -> None:
    """Show what runs found. RUN.jsonl is the record a run wrote, or the folder that holds it.

    Several records become one table. Where two hold the same provider, model, scenario and mode, the one that started
    last counts. Observations stand beside what the runs found, and change nothing of it.
    """
    from conformance.audit.observation import load
    from conformance.errors import ConfigError
    from conformance.report import BADGES, FORMATS, WRITTEN, build, write
    from conformance.report import history as past
    from conformance.report.files import BESIDE

    if output is not None and form in ("terminal", "excerpt"):
        raise ConfigError(f"-f {form} writes no file; leave out -o, or choose another format")
    if output is None and form == BADGES:
        raise ConfigError(f"-f {form} writes one file for each provider; say where with -o DIR")
    if clients is not None and (output is None or form != "html"):
        raise ConfigError("--clients is for a site; add -f html -o DIR, or use 'conformance clients table'")
    records = [_load(path, allow_incomplete) for path in paths]
    matrix = build(
        *records,
        strict=strict,
        observations=[one for path in observations for one in load(path)],
        history=past.load(history) if history is not None else None,
    )
    if isinstance(sys.stdout, TextIOWrapper):
        # symbols and names must not end a report on a terminal that knows only ASCII
        sys.stdout.reconfigure(errors="backslashreplace")
    if output is not None and form == "html":
        folders = [path if path.is_dir() else path.parent for path in paths]
        click.echo(str(_site(matrix, output, folders, clients)))
    elif output is not None:
        for path in write(matrix, output, *([form] if form else WRITTEN)):
            click.echo(str(path))
    elif form in (None, "terminal"):
        from conformance.report.terminal import show

        show(matrix, sys.stdout)
    elif form == "excerpt":
        from conformance.report import excerpt

        click.echo(excerpt.render(matrix), nl=False)
    else:
        click.echo(FORMATS[str(form)][1](matrix, BESIDE), nl=False)
    sys.exit(matrix.exit_code)


def _load(path: Path, allow_incomplete: bool) -> Record:
    from conformance.errors import RecordError
    from conformance.run.record import load_record

    record = load_record(path / "run.jsonl" if path.is_dir() else path, incomplete=True)
    if not record.complete and not allow_incomplete:
        raise RecordError(
            f"{record.path}: no footer, the run did not finish: the record is incomplete; run again, or show what is "
            "there with --allow-incomplete"
        )
    return record


def _site(matrix: Matrix, directory: Path, records: list[Path], clients: Path | None) -> Path:
    """Write the site; its first page."""
    from conformance.impact import documents
    from conformance.report.files import root_above
    from conformance.site import urls
    from conformance.site.build import build

    starts = [directory, *records, Path()]
    root = next((found for start in starts if (found := root_above(matrix, start)) is not None), None)
    if root is None and any(row["evidence"] for row in matrix.exchanges):
        click.echo(
            "the cassettes are not at hand, so that the site shows no bytes; for those, run this in the folder that "
            "holds them",
            err=True,
        )
    table = documents.clients(clients) if clients is not None else None
    build(matrix, directory, root=root or Path(), clients=table)
    return directory / urls.index()
