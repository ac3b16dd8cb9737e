"""`conformance run`: measure providers, or an endpoint, and write the reports."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from conformance.report.grid import Matrix
    from conformance.run.options import Options
    from conformance.run.plan import Plan
    from conformance.run.rows import RunMode

_EPILOG = """\b
Exit codes: 0 nothing unexpected; 1 unexpected findings, stale expectations, or exchanges
that could not be had; 2 interrupted; 3 internal error; 4 usage or configuration; 5 nothing selected.

\b
Examples:
  conformance run                                   replay everything that is recorded
  conformance run --provider llamacpp --strict      one provider, 'should' findings count
  conformance run --base-url http://localhost:8000/v1 --model my-model
  conformance run --provider llamacpp --via litellm which hop is it?
"""


def _workers(_ctx: click.Context, _param: click.Parameter, value: str) -> int | None:
    if value == "auto":
        return None
    if not value.isdecimal():
        raise click.BadParameter("give a number of processes, or 'auto'")
    return int(value)


@click.command(epilog=_EPILOG, short_help="Measure providers and write the quirks table.")
@click.option(
    "-p",
    "--provider",
    "providers",
    multiple=True,
    metavar="NAME",
    help="A provider of the file; repeatable. 'all': all.",
)
@click.option("--base-url", metavar="URL", help="Test this endpoint, live, though no file knows it.")
@click.option("--model", metavar="NAME", help="The model to ask for; default: the provider's own.")
@click.option("--api-key-env", metavar="VAR", help="NAME of the environment variable with the key for --base-url.")
@click.option(
    "--via",
    multiple=True,
    metavar="NAME|URL",
    help="A gateway to that one provider: run both ways, and say which hop adds, hides or changes what. Repeatable.",
)
@click.option("--via-model", metavar="NAME", help="The model to ask the gateway for; default: its own.")
@click.option("--via-api-key-env", metavar="VAR", help="NAME of the variable with the key, where --via is an address.")
@click.option("-s", "--scenario", "scenarios", multiple=True, metavar="NAME", help="Only this scenario; repeatable.")
@click.option("--mode", "modes", multiple=True, type=click.Choice(["stream", "complete"]), help="Only this mode.")
@click.option("--replay", is_flag=True, help="Replay cassettes: no network, no key. The default.")
@click.option("--live", is_flag=True, help="Send requests and record nothing. May cost money.")
@click.option("--record", is_flag=True, help="Send requests and record them. May cost money.")
@click.option("--dry-run", is_flag=True, help="Say what would be sent, and what it may cost; send nothing.")
@click.option("--max-requests", type=int, metavar="N", help="Send at most N requests; the rest is not run.")
@click.option(
    "--max-seconds", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Stop asking after S seconds."
)
@click.option(
    "--retries", type=int, default=2, show_default=True, metavar="N", help="After HTTP 408, 429, 5xx, lost connections."
)
@click.option("--timeout", type=float, metavar="S", help="Give an exchange up after S seconds.")
@click.option("--max-bytes", type=int, metavar="N", help="Give an answer up after N bytes; what came is kept.")
@click.option("--shard", metavar="I/N", help="Only part I of N; 'conformance merge' joins the records.")
@click.option("--resume", is_flag=True, help="Keep what the record in DIR already measured; run the rest.")
@click.option(
    "--samples",
    type=int,
    default=1,
    show_default=True,
    metavar="N",
    help="Repeat exchanges until it is settled what they show, at most N times.",
)
@click.option("--strict", is_flag=True, help="'should' findings count as well.")
@click.option(
    "--config", type=click.Path(path_type=Path), default=Path("providers.yaml"), show_default=True, metavar="FILE"
)
@click.option("--cassettes", type=click.Path(path_type=Path), metavar="DIR", help="Default: cassettes beside the file.")
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
    "-n",
    "workers",
    default="0",
    metavar="N",
    callback=_workers,
    help="Run in N processes; 'auto': one for each provider, or for each core in a replay.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("runs/latest"),
    show_default=True,
    metavar="DIR",
    help="Where run.jsonl and the reports go.",
)
@click.option(
    "--step-summary",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Append the step summary to FILE; without FILE, to that of this step of a GitHub Actions job.",
)
def command(
    replay: bool,
    live: bool,
    record: bool,
    dry_run: bool,
    max_seconds: float | None,
    workers: int | None,
    output: Path,
    base_url: str | None,
    observations: tuple[Path, ...],
    history: Path | None,
    step_summary: str | None,
    **given: Any,
) -> None:
    """Send every scenario to every provider, or replay what was recorded, and print provider × quirk.

    Without options it replays the cassettes of all providers in providers.yaml; that needs neither network nor key.
    With --base-url it tests one endpoint, live.
    """
    from conformance.cli.actions import summary_file
    from conformance.errors import ConfigError
    from conformance.run.options import Options

    if replay + live + record > 1:
        raise ConfigError("--replay, --live and --record exclude each other; give one")
    if not output.name:
        raise ConfigError(f"-o '{output}': name a folder for the reports")
    run_mode: RunMode = "replay" if replay else "record" if record else "live" if live or base_url else "replay"
    deadline = None if max_seconds is None else time.time() + max_seconds
    options = Options(run_mode=run_mode, base_url=base_url, deadline=deadline, **given)
    if dry_run:
        sys.exit(preview(options, output))
    summary = None if step_summary is None else summary_file(step_summary)
    sys.exit(run(options, output, workers, observations, summary, history))


def preview(options: Options, output: Path) -> int:
    """Say what a run would do.

    Returns:
        0: it would do something.

    Raises:
        ConfigError, SelectionError, RecordError: it would not begin.
    """
    from conformance.run.budget import announcement
    from conformance.run.options import plan_for

    plan = plan_for(options)
    done = _measured(options, output, plan)
    for cell in plan.cells:
        if cell.id not in done:
            click.echo(f"{cell.id}{'  (beyond --max-requests)' if cell.id in plan.over_budget else ''}")
    replayed = f"replay of {len(plan.cells)} cells: nothing would be sent"
    lines = announcement(plan, done) or [replayed if plan.run_mode == "replay" else "nothing is left to send"]
    click.echo("\n".join(lines))
    return 0


def _measured(options: Options, output: Path, plan: Plan) -> frozenset[str]:
    """Ids of the cells that `--resume` keeps."""
    from conformance.run.resume import kept

    return kept(output / "run.jsonl", plan).cells if options.resume else frozenset()


def run(
    options: Options,
    output: Path,
    workers: int | None,
    observations: Sequence[Path] = (),
    summary: Path | None = None,
    history: Path | None = None,
) -> int:
    """Run, write the reports, and say what came of it.

    Args:
        options: what to run.
        output: the folder of the record and the reports.
        workers: processes; 0 for none beside this one, None for as many as there is use for.
        observations: files of observations, for the reports to show beside; they change no verdict.
        summary: the file that the step summary is appended to.
        history: the file that tells the reports since when.

    Returns:
        The exit code (DESIGN §6.3).

    Raises:
        ConfigError, SelectionError, InputError: before anything is sent.
    """
    import pytest

    from conformance.audit.observation import load
    from conformance.cli.machine import cores
    from conformance.cli.progress import View
    from conformance.cli.pytest_run import alone, arguments, ending_in_order
    from conformance.report import history as past
    from conformance.run.budget import announcement
    from conformance.run.connect import Connections
    from conformance.run.options import plan_for
    from conformance.run.record import check_writable

    plan = plan_for(options)
    check_writable(output / "run.jsonl")
    if plan.run_mode != "replay":
        Connections().check(plan.providers)  # each process would find the same, and none would say it as well
    for line in announcement(plan, _measured(options, output, plan)):
        click.echo(line, err=True)
    if workers is None:
        workers = len(plan.providers) if plan.run_mode != "replay" else cores()
    beside = [one for path in observations for one in load(path)]
    view = View(plan, beside, past.load(history) if history is not None else None)
    with alone(), ending_in_order():
        # a process more than there are cells would start for nothing
        code = int(pytest.main(arguments(options, output, min(workers, len(plan.cells))), plugins=[view]))
    matrix = view.conclude(output, code)
    if matrix is not None:
        _tell(matrix, options, summary)
    return code


def _tell(matrix: Matrix, options: Options, summary: Path | None) -> None:
    """Say on GitHub what came of a run."""
    from conformance.cli import actions
    from conformance.report.annotations import notes

    if summary is not None:
        actions.summarise(matrix, summary)
    if actions.running():
        known = bool(options.providers) or options.base_url is None  # else what was run stands in no file
        line_of = actions.lines_of(options.config) if known else lambda *_: None
        actions.annotate(notes(matrix, actions.in_workspace(options.config), line_of))
