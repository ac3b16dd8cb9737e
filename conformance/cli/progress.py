"""What `conformance run` shows: progress on a terminal while it runs, failures and the verdicts at the end."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
import pytest

from conformance.run.message import together
from conformance.run.outcome import INTERRUPTED, NOTHING, Outcome, summary
from conformance.run.plan import Plan
from conformance.run.record import load_record
from conformance.suites.session import RECORD_NAME, SESSION

if TYPE_CHECKING:
    from conformance.audit.observation import Observation
    from conformance.report.grid import Matrix
    from conformance.report.history import History

SHOWN: Final = 60
"""Failures told in full; the reports hold all."""


class View:
    """A pytest plugin that takes the place of pytest's own terminal output.

    Args:
        plan: what is going to be run.
        observations: what the reports show beside.
        history: tells the reports since when.
    """

    def __init__(self, plan: Plan, observations: Sequence[Observation] = (), history: History | None = None) -> None:
        self._plan = plan
        self._observations = observations
        self._history = history
        self._failures: list[str] = []
        self._outcome: Outcome | None = None
        self._unwritten = ""
        self._measured = False
        self._bar: Any = None

    def pytest_sessionstart(self) -> None:
        """Show a progress bar, if somebody is looking."""
        if not sys.stderr.isatty():
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._bar.start()
        self._bar.add_task(self._plan.run_mode, total=len(self._plan.cells))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count an item, keep what went wrong."""
        if report.failed:
            self._failures.append(report.longreprtext)
        if self._bar is not None and report.when == "teardown":
            self._bar.advance(self._bar.task_ids[0])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A suite that cannot be collected is a fault of ours; keep its message."""
        if report.failed:
            self._failures.append(report.longreprtext)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Keep the verdict."""
        if self._bar is not None:
            self._bar.stop()
        known = session.config.stash.get(SESSION, None)
        if known is not None:
            self._outcome = known.outcome
            self._unwritten = known.unwritten
            self._measured = bool(known.rows)

    def conclude(self, output: Path, code: int) -> Matrix | None:
        """Write the reports and say what came of the run: a matrix, unless it ended before anything could."""
        failures = together(self._failures)
        for text in failures[:SHOWN]:
            click.echo(text + "\n", err=True)
        if len(failures) > SHOWN:
            click.echo(f"… and {len(failures) - SHOWN} more; {output}/ has them all", err=True)
        path = output / RECORD_NAME
        if code == INTERRUPTED:
            kept = f"what was measured is in {path}, which says that it is incomplete"
            click.echo(f"interrupted; {kept if self._measured else 'nothing was measured'}", err=True)
        if self._unwritten:
            click.echo(self._unwritten, err=True)
        if self._outcome is None:
            return None
        from conformance.report import WRITTEN, build, terminal, write

        matrix = build(load_record(path), observations=self._observations, history=self._history)
        write(matrix, output, *WRITTEN)
        terminal.show(matrix, sys.stdout)
        if self._outcome.exit_code == NOTHING:
            click.echo("\n".join(summary(self._outcome)), err=True)
        click.echo(f"reports in {output}/")
        return matrix
