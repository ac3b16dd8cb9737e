"""`conformance run`: measure providers, or an endpoint, and write the reports."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from conformance.run.options import Options
    from conformance.run.rows import RunMode

_EPILOG = """\b
Exit codes: 0 nothing unexpected; 1 unexpected findings, stale expectations, or exchanges
that could not be had; 2 interrupted; 3 internal error; 4 usage or configuration; 5 nothing selected.

\b
Examples:
  conformance run                                   replay everything that is recorded
  conformance run --provider llamacpp --strict      one provider, 'should' findings count
  conformance run --base-url http://localhost:8000/v1 --model my-model
"""


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
@click.option("-s", "--scenario", "scenarios", multiple=True, metavar="NAME", help="Only this scenario; repeatable.")
@click.option("--mode", "modes", multiple=True, type=click.Choice(["stream", "complete"]), help="Only this mode.")
@click.option("--replay", "run_mode", flag_value="replay", help="Replay cassettes: no network, no key. The default.")
@click.option("--live", "run_mode", flag_value="live", help="Send requests and record nothing. May cost money.")
@click.option("--record", "run_mode", flag_value="record", help="Send requests and record them. May cost money.")
@click.option("--samples", type=int, default=1, show_default=True, metavar="N", help="Repeat every exchange, live.")
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
@click.option("-n", "workers", type=click.IntRange(min=0), default=0, metavar="N", help="Run in N processes.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("runs/latest"),
    show_default=True,
    metavar="DIR",
    help="Where run.jsonl and the reports go.",
)
def command(
    run_mode: RunMode | None,
    workers: int,
    output: Path,
    base_url: str | None,
    observations: tuple[Path, ...],
    **given: Any,
) -> None:
    """Send every scenario to every provider, or replay what was recorded, and print provider × quirk.

    Without options it replays the cassettes of all providers in providers.yaml; that needs neither network nor key.
    With --base-url it tests one endpoint, live.
    """
    from conformance.run.options import Options

    options = Options(run_mode=run_mode or ("live" if base_url else "replay"), base_url=base_url, **given)
    sys.exit(run(options, output, workers, observations))


def run(options: Options, output: Path, workers: int, observations: Sequence[Path] = ()) -> int:
    """Run, write the reports, and say what came of it.

    Args:
        options: what to run.
        output: the folder of the record and the reports.
        workers: processes; 0 for none beside this one.
        observations: files of observations, for the reports to show beside; they change no verdict.

    Returns:
        The exit code (DESIGN §6.3).

    Raises:
        ConfigError, SelectionError, InputError: before anything is sent.
    """
    import pytest

    from conformance.audit.observation import load
    from conformance.cli.progress import View
    from conformance.run.options import plan_for
    from conformance.run.record import check_writable

    plan = plan_for(options)
    check_writable(output / "run.jsonl")
    view = View(plan, [one for path in observations for one in load(path)])
    with _alone():
        # a process more than there are cells would start for nothing
        code = int(pytest.main(arguments(options, output, min(workers, len(plan.cells))), plugins=[view]))
    view.conclude(output, code)
    return code


def arguments(options: Options, output: Path, workers: int = 0) -> list[str]:
    """The pytest command line that does what the options ask for."""
    import conformance.suites

    given: list[str] = []
    for flag, values in (
        ("--provider", options.providers),
        ("--conformance-scenario", options.scenarios),
        ("--conformance-mode", options.modes),
    ):
        given += [f"{flag}={value}" for value in values]
    for flag, value in (
        ("--conformance-base-url", options.base_url),
        ("--conformance-model", options.model),
        ("--conformance-api-key-env", options.api_key_env),
        ("--conformance-cassettes", options.cassettes and options.cassettes.absolute()),
    ):
        if value is not None:
            given.append(f"{flag}={value}")
    if not options.providers and options.base_url is None:
        given.append("--provider=all")
    if options.strict:
        given.append("--conformance-strict")
    modes = {
        "replay": ["--record-mode=none", "--block-network"],
        "live": ["--record-mode=none", "--conformance-live"],
        "record": ["--record-mode=rewrite"],
    }
    folder = Path(next(iter(conformance.suites.__path__)))
    plugins = ("conformance.pytest_plugin", "pytest_recording.plugin", *(("xdist.plugin",) if workers else ()))
    return [
        str(folder),
        f"-c{folder / 'pytest.ini'}",
        *(f"-p{name}" for name in plugins),
        *(f"-pno:{name}" for name in ("cacheprovider", "terminal", "doctest", "unittest", "logging", "warnings")),
        "--assert=plain",
        "--capture=no",
        *modes[options.run_mode],
        f"--conformance-config={options.config.absolute()}",
        f"--conformance-output={output.absolute()}",
        f"--conformance-samples={options.samples}",
        *([f"-n{workers}"] if workers else []),
        *given,
    ]


@contextmanager
def _alone() -> Iterator[None]:
    """Keep other pytest plugins and options of the environment out: this run is ours."""
    changed = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "", "PYTEST_PLUGINS": ""}
    before = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
