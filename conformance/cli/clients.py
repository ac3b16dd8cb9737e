"""`conformance clients`: what real client libraries make of each quirk."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from conformance.cli.clients_table import table
from conformance.cli.machine import cores
from conformance.cli.output import writing
from conformance.text import visible

if TYPE_CHECKING:
    from conformance.impact.cases import Catalogue
    from conformance.impact.check import Check
    from conformance.impact.measure import Measured

RED: Final = 1
INTERRUPTED: Final = 2

_EPILOG = """\b
Examples:
  conformance clients list
  conformance clients run -o reports                    every client, every quirk
  conformance clients run --client langchain-openai --quirk index-missing
  conformance clients run --versions "openai==3.13.0,3.14.0"
  conformance clients table reports                     clients.md, and client × provider
  conformance clients check path/to/my-client           while writing an adapter

\b
Exit codes: 0 measured, whatever the clients made of it; 1 a client that was named (or every
client) could not be judged; 2 interrupted; 4 usage; 5 nothing selected.
"""

_CHECK_EPILOG = """\b
Examples:
  conformance clients check path/to/my-client                     does it keep the protocol?
  conformance clients check --command "python my_adapter.py" --all   a gate for CI: every quirk

\b
Exit codes: 0 all is right; 1 something is not, or the adapter does not start; 4 usage.
"""

_cache = click.option(
    "--cache",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(".clients"),
    show_default=True,
    metavar="DIR",
    help="Where environments and what was seen before are kept.",
)
_clients = click.option(
    "--clients",
    "root",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="A folder of client folders, in place of those that come with conformance.",
)
_timeout = click.option(
    "--timeout",
    type=click.FloatRange(min=0.1, max=600),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="How long a client may take for one answer, also for the first. Who takes longer is asked twice.",
)
_start = click.option(
    "--start-timeout",
    "start",
    type=click.FloatRange(min=0.1, max=600),
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="How long a client may take to start, until it says hello; imports are slow on some machines.",
)


@click.group(epilog=_EPILOG, short_help="Measure what real client libraries make of each quirk.")
def command() -> None:
    """Serve the answers of the fault server on loopback to real client libraries, and see what they end with."""


command.add_command(table)


@command.command("run", epilog=_EPILOG, short_help="Measure clients.")
@click.option("--client", "names", multiple=True, metavar="NAME", help="Only this client, or the folder PATH/OF/IT.")
@click.option("--quirk", "slugs", multiple=True, metavar="SLUG", help="Only this quirk; repeatable.")
@click.option("--versions", multiple=True, metavar="DIST==V,V…", help="Once with each of these versions; Python only.")
@click.option("--jobs", type=click.IntRange(min=1, max=64), metavar="N", help="Clients at once.  [default: all cores]")
@click.option("--fresh", is_flag=True, help="Ask again what was seen before.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Write clients.json."
)
@_timeout
@_start
@_cache
@_clients
def run(
    names: tuple[str, ...],
    slugs: tuple[str, ...],
    versions: tuple[str, ...],
    jobs: int | None,
    fresh: bool,
    output: Path | None,
    timeout: float,
    start: float,
    cache: Path,
    root: Path | None,
) -> int:
    """Ask every client for every answer, and judge what it ends with by what was planted.

    With -o, DIR/clients.json holds the verdicts, and DIR/clients.raw.jsonl all that wrong ones rest on.
    """
    from conformance.cli.clients_progress import progress
    from conformance.cli.pytest_run import ending_in_order
    from conformance.impact.adapter import Limits
    from conformance.impact.cases import everything
    from conformance.impact.environment import writable
    from conformance.impact.folders import BUNDLED, select
    from conformance.impact.locks import overrides
    from conformance.impact.measure import Settings, columns, measure

    catalogue = everything().only(slugs)
    chosen = select(root or BUNDLED, names)
    wanted = columns(chosen, [one for text in versions for one in overrides(text)])
    settings = Settings(cache.absolute(), jobs or cores(), fresh, Limits(case=timeout, start=start))
    writable(settings.cache)
    asked = len(catalogue.controls) + len(catalogue.cases)
    with ending_in_order(), progress(len(wanted), asked) as shown:
        measured = measure(wanted, catalogue, settings, lambda one: shown.done(one.column, _sentence(one)), shown.step)
    if output is not None:
        _write(measured, catalogue, output)
    if any(one.driven.interrupted for one in measured):
        click.echo("interrupted; what was measured is marked incomplete", err=True)
        return INTERRUPTED
    judged = [one.judged for one in measured]
    return RED if not any(judged) or (not all(judged) and (names or versions)) else 0


@command.command("list", short_help="List the clients.")
@_clients
def list_(root: Path | None) -> int:
    """List the clients, and what each drives."""
    from conformance.impact.folders import BUNDLED, select

    rows = [(one.name, one.language, one.drives) for one in select(root or BUNDLED, ())]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for name, language, drives in rows:
        click.echo(f"{name.ljust(widths[0])}  {language.ljust(widths[1])}  {visible(drives, 120)}")
    return 0


@command.command("check", epilog=_CHECK_EPILOG, short_help="Check an adapter: the protocol, and every quirk.")
@click.argument(
    "folder", required=False, type=click.Path(path_type=Path, file_okay=False, exists=True), metavar="[FOLDER]"
)
@click.option("--command", "text", metavar="TEXT", help="In place of FOLDER: what starts the adapter, run here.")
@click.option("--all", "every", is_flag=True, help="Every quirk as well, and not only honest answers.")
@click.option("--quirk", "slugs", multiple=True, metavar="SLUG", help="This quirk as well; repeatable.")
@_timeout
@_start
@_cache
def check(
    folder: Path | None,
    text: str | None,
    every: bool,
    slugs: tuple[str, ...],
    timeout: float,
    start: float,
    cache: Path,
) -> int:
    """Start the adapter in FOLDER, ask it honest answers, and let it end; with --all, ask it for every quirk.

    Exit code 0 if it keeps the protocol and comes to the right calls, else 1.
    """
    from conformance.cli.pytest_run import ending_in_order
    from conformance.errors import ConfigError
    from conformance.impact import check as checks
    from conformance.impact.adapter import Limits
    from conformance.impact.children import Children
    from conformance.impact.environment import bare, prepare
    from conformance.impact.folders import load

    if (folder is None) == (text is None):
        raise ConfigError("give the FOLDER of a client, or --command with what starts its adapter")
    if every and slugs:
        raise ConfigError("--all asks for every quirk; leave out --quirk")
    asked = checks.quirks(slugs) if every or slugs else []
    limits = Limits(case=timeout, start=start)
    with ending_in_order():
        if folder is not None:
            client = load(folder)
            name, ready = client.name, prepare(client, cache.absolute(), Children())
        else:
            name, ready = "the client", bare(str(text))
        good = _said(checks.check(name, ready, limits))
        if good and asked:
            good = _said(checks.check_quirks(name, ready, limits, asked))
        return 0 if good else RED


def _said(found: Iterable[Check]) -> bool:
    """Print what was looked at; whether all of it is as it should be."""
    good = True
    for one in found:
        good = good and one.good
        label = "ok" if one.good else "WRONG"
        for line in one.says.split("\n"):
            click.echo(f"{label:5}  {visible(line, 2000)}")
            label = ""
    return good


def _write(measured: Sequence[Measured], catalogue: Catalogue, output: Path) -> None:
    from conformance.impact import document

    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    for name, text in (
        ("clients.json", document.render(measured, catalogue, day)),
        ("clients.raw.jsonl", document.raw(measured)),
    ):
        with writing(output / name) as write:
            write(text)
        click.echo(str(output / name))


def _sentence(one: Measured) -> str:
    """What came of a client, on one line."""
    from conformance.impact.judge import OUTCOMES, SILENT

    if not one.judged:
        return f"{one.column.key}: not judged: {visible(one.why, 600)}"
    found = [verdict.outcome for name, verdict in one.driven.verdicts.items() if not name.startswith("honest-")]
    silent = sum(outcome in SILENT for outcome in found)
    loud = ", ".join(f"{found.count(word)} {word}" for word in OUTCOMES if word not in SILENT and word in found)
    version = visible(str(one.driven.hello["version"]), 40)
    return f"{one.column.key} {version}: {len(found)} answers: {loud}, {silent} wrong without a word"
