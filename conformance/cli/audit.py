"""`conformance audit`: any number of captured exchanges, counted by provider and quirk."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from conformance.cli.machine import cores
from conformance.cli.output import writing
from conformance.errors import ConfigError

if TYPE_CHECKING:
    from conformance.audit.scan import Scanned
    from conformance.audit.tally import Tally

FORMATS: Final = ("table", "json", "md", "jsonl")
RED: Final = 1
USAGE: Final = 4
NOTHING: Final = 5

_EPILOG = """\b
Examples:
  conformance audit captures/                          every exchange in a folder
  conformance audit logs.jsonl.zst --by provider,model --format md
  zcat logs.gz | conformance audit - --format json
  conformance audit captures/ --observations -o reports/observations.jsonl
"""


@click.command(epilog=_EPILOG, short_help="Count the quirks of any number of captured exchanges.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--by", default="provider", show_default=True, metavar="LABEL,...", help="What makes a row; see below.")
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Processes to use.  [default: all cores]")
@click.option("--cluster", metavar="ADDRESS", help="Use the workers of this Dask scheduler instead.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True, help="How to print.")
@click.option("--observations", is_flag=True, help="Write facts about published recordings, a JSON object a line.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write to FILE, as a whole.")
@click.option("--strict", is_flag=True, help="'should' findings count as well.")
def command(
    paths: tuple[str, ...],
    by: str,
    workers: int | None,
    cluster: str | None,
    form: str,
    observations: bool,
    output: Path | None,
    strict: bool,
) -> int:
    """Judge every exchange in files and folders, and count which quirks show, out of those that could.

    PATH is a file in any format that `inspect` reads, a folder of them, or '-' for standard input. Large files of JSON
    Lines, also compressed, are read in pieces, so that neither their size nor their number matters to memory. What
    cannot be read is counted and named.

    LABEL is provider, model, mode, status, folder, file, repository, commit or licence.

    `--format jsonl` writes each exchange as a line, as `inspect --format json` describes it.

    Exit code: 0 without unexpected findings, 1 with a 'must' finding (or a 'should' one with --strict; neither with
    --observations), 4 if a PATH cannot be read or an option is wrong, 5 if there was no exchange. Files
    in a folder that hold none are counted and named, nothing more.
    """
    from conformance.audit.engine import audit
    from conformance.audit.observe import RULE
    from conformance.audit.scan import Rule

    labels = _labels(by)
    if observations and (form != "table" or by != "provider"):
        raise ConfigError("--observations has its own form and groups; leave out --format and --by")
    rule = RULE if observations else Rule(by=labels, documents=form == "jsonl")
    if output is not None:
        _spare_inputs(output, paths)
    with writing(output) as write, _progress() as show:

        def sink(total: Tally, scanned: Scanned) -> None:
            for line in scanned.documents:
                write(line.decode("ascii") + "\n")
            show(total)

        tally = audit(paths, rule, workers or cores(), cluster or "", sink)
        if observations:
            from conformance.audit.observation import dumps
            from conformance.audit.observe import observations as observed

            write(dumps(observed(tally)))
        elif form != "jsonl":
            write(_rendered(tally, labels, form, output is None))
    _tell(tally, observations)
    return _exit_code(tally, set() if observations else {"must", "should"} if strict else {"must"})


def _spare_inputs(output: Path, paths: tuple[str, ...]) -> None:
    """What is read is not written over."""
    target = Path(os.path.realpath(output))
    for path in paths:
        place = Path(os.path.realpath(path))
        if path != "-" and output.exists() and (place == target or place in target.parents):
            raise ConfigError(f"{output}: this is one of the files to read; choose another file with -o")


def _labels(by: str) -> tuple[str, ...]:
    from conformance.audit.scan import LABELS

    labels = tuple(label.strip() for label in by.split(",") if label.strip())
    unknown = [label for label in labels if label not in LABELS]
    if unknown or not labels or len(set(labels)) < len(labels):
        what = f"{', '.join(unknown)} is no label" if unknown else "name each label once"
        raise ConfigError(f"--by {by}: {what}; choose from {', '.join(LABELS)}")
    return labels


def _rendered(tally: Tally, labels: tuple[str, ...], form: str, shown: bool) -> str:
    from conformance.audit import render
    from conformance.audit.summary import summarise

    summary = summarise(tally, labels)
    if form == "json":
        return render.json_(summary)
    if form == "md":
        return render.markdown(summary)
    text = render.table(summary, shutil.get_terminal_size((120, 24)).columns)
    return text if shown and _coloured() else click.unstyle(text)


def _coloured() -> bool:
    wanted = click.get_current_context().color
    return sys.stdout.isatty() if wanted is None else wanted


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[Tally], None]]:
    """On a terminal: how far it is, and how fast."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading")
        begun = time.monotonic()

        def show(total: Tally) -> None:
            rate = total.exchanges / max(time.monotonic() - begun, 0.001)
            bar.update(task, description=f"{total.exchanges:,} exchanges, {total.files:,} files, {rate:,.0f}/s")

        yield show


def _tell(tally: Tally, observations: bool) -> None:
    for sentence in tally.problems:
        click.echo(sentence, err=True)
    if tally.bad > len(tally.problems):
        click.echo(f"… and {tally.bad - len(tally.problems)} more that could not be read", err=True)
    if observations:
        left = "".join(f", {count} {why} left out" for why, count in sorted(tally.left_out.items()))
        click.echo(f"observations from {tally.exchanges} exchanges{left}", err=True)


def _exit_code(tally: Tally, counted: set[str]) -> int:
    if tally.given_bad:
        return USAGE
    if any(level in counted for level in tally.levels()):
        return RED
    return 0 if tally.exchanges else NOTHING
