"""The harness inside one pytest session: plan, cells, and the lines of the run record.

With xdist every worker plans the same; the lines travel on the test reports to the controller, which alone writes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Final

import pytest

from conformance.errors import ConfigError, ConformanceError, RecordError, SelectionError
from conformance.run.budget import announcement
from conformance.run.header import header, now, version
from conformance.run.measure import Measurer
from conformance.run.message import failure
from conformance.run.options import plan_for
from conformance.run.outcome import NOTHING, OK, RED, Outcome, conclude, footer, summary
from conformance.run.plan import Cell, Plan
from conformance.run.rates import rates
from conformance.run.record import RecordWriter
from conformance.run.resume import Kept, kept
from conformance.run.rows import ExchangeRow
from conformance.suites.options import options_of
from conformance.suites.together import scheduler
from conformance.text import inert
from conformance.transport import Store
from conformance.transport.cassette_file import sweep

Measure = Callable[[Cell], None]

SESSION: Final[pytest.StashKey[Session]] = pytest.StashKey()
_ROWS: Final[pytest.StashKey[list[ExchangeRow]]] = pytest.StashKey()
_ATTRIBUTE: Final = "conformance_rows"
RECORD_NAME: Final = "run.jsonl"


def start(config: pytest.Config) -> None:
    """Plan the run and join the session.

    Raises:
        pytest.UsageError: an option or the providers file is wrong.
        pytest.exit.Exception: nothing is selected.
    """
    try:
        session = Session(config)
    except SelectionError as problem:
        pytest.exit(str(problem), returncode=problem.exit_code)
    except ConfigError as problem:
        raise pytest.UsageError(*problem.problems) from None
    except RecordError as problem:
        raise pytest.UsageError(str(problem)) from None
    config.stash[SESSION] = session
    config.pluginmanager.register(session, "conformance-session")


class Session:
    """The plugin that is registered when a provider was named.

    Attributes:
        options, plan: what is asked for, and what is done.
        rows: the lines so far (in an xdist worker: none).
        measured: number of items of ours that are done.
        outcome: the verdict, once the session has finished.
        unwritten: why the record could not be written; empty if it could.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.options = options_of(config)
        self.plan: Plan = plan_for(self.options)
        self.rows: list[ExchangeRow] = []
        self._kept = Kept()
        self.measured = 0
        self.outcome: Outcome | None = None
        self.unwritten = ""
        workers: int = getattr(config, "workerinput", {}).get("workercount", 1)
        record_mode = config.getoption("--record-mode", None) or "none"
        self._measurer = Measurer(self.options, self.plan, record_mode, workers)
        self._writer: RecordWriter | None = None
        output = config.getoption("--conformance-output")
        if output is None:
            if self.options.resume:
                raise ConfigError("--resume goes on with a record; name its folder with -o")
            self._header = header(self.plan, strict=self.options.strict)
            return
        path = Path(output) / RECORD_NAME
        if self.options.resume:
            self._kept = kept(path, self.plan)
            self._measurer.know(self._kept.rows)
        self._header = header(self.plan, strict=self.options.strict, resumed=self._kept.started)
        if not _is_worker(config):
            if self.plan.run_mode == "record":
                sweep(self.plan.cassettes / provider.name for provider in self.plan.providers)
            self._writer = RecordWriter(path, self._header)
            for row in self._kept.rows:
                self._take(row)

    def cells(self, suite: str) -> list[Cell]:
        """The cells that the suite of this name measures."""
        return [cell for cell in self.plan.cells if suite_of(cell) == suite and cell.id not in self._kept.cells]

    def marks(self, cell: Cell) -> list[pytest.MarkDecorator]:
        """The marks of a cell's item.

        `vcr` where a cassette is used, and `skip` where there is nothing to measure.
        """
        if self.plan.run_mode == "live":
            return []
        if self.plan.run_mode == "record" or self.plan.cassette(cell).exists():
            return [pytest.mark.vcr]
        if not self.plan.has_to_run(cell.provider.name):
            return [pytest.mark.skip(reason=f"{cell.provider.name} has no recording")]
        return []

    def measure(self, item: pytest.Item, cell: Cell, store: Store | None) -> None:
        """Run a cell; its item fails with everything unexpected at once.

        Args:
            item: the pytest item.
            cell: what it measures.
            store: the cassette; None if answers come live, or if there is none to replay.
        """
        rows = item.stash.setdefault(_ROWS, [])
        if after := self._measurer.settled(cell, store):
            pytest.skip(f"settled after {after} repetitions")
        self._measurer.measure(cell, item.name, store, rows)
        text = failure(self.plan, cell, rows, strict=self.options.strict)
        if text:
            pytest.fail(inert(text), pytrace=False)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        """Keep in one process what belongs together."""
        return scheduler(config, log, self.plan)

    def pytest_report_header(self) -> list[str]:
        """Say what is measured."""
        names = ", ".join(p.name for p in self.plan.providers)
        return [f"conformance {version()}: {self.plan.run_mode}: {names}", *announcement(self.plan)]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Hang the lines on the report, and say errors of ours in one sentence."""
        report = yield
        if call.excinfo is not None and isinstance(call.excinfo.value, ConformanceError):
            report.longrepr = inert(str(call.excinfo.value))
        if cell_of(item) is not None and (call.when == "call" or (call.when == "setup" and not report.passed)):
            # as text: xdist passes plain values only, and halves of surrogate pairs must survive
            setattr(report, _ATTRIBUTE, [json.dumps(row) for row in item.stash.get(_ROWS, ())])
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the lines of a finished item, from wherever it ran."""
        texts = getattr(report, _ATTRIBUTE, None)
        if texts is None:
            return
        self.measured += 1
        try:
            for text in texts:
                self._take(json.loads(text))
        except ConfigError as problem:
            self.unwritten = str(problem)
            pytest.exit(self.unwritten, returncode=problem.exit_code)

    def _take(self, row: ExchangeRow) -> None:
        self.rows.append(row)
        if self._writer is not None:
            self._writer.exchange(row)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Conclude: exit code and footer; a session that was interrupted leaves an incomplete record."""
        if _is_worker(session.config):
            return
        nothing_left = exitstatus == NOTHING and self._kept.cells.issuperset(cell.id for cell in self.plan.cells)
        came_through = exitstatus in (OK, RED) and self.measured and not session.shouldfail and not session.shouldstop
        if came_through or nothing_left:
            self.outcome = conclude(self._header, self.rows, strict=self.options.strict)
            session.exitstatus = (0 if nothing_left else exitstatus) or self.outcome.exit_code
            if self._writer is not None:
                self._writer.finish(footer(self.outcome, now(), int(session.exitstatus), rates(self.rows)))
        try:
            if self._writer is not None:
                self._writer.close()
        except ConfigError as problem:
            self.outcome, self.unwritten = None, str(problem)
            session.exitstatus = problem.exit_code

    def pytest_unconfigure(self) -> None:
        """Close the record of a session that never began."""
        if self._writer is not None:
            self._writer.close()

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what pytest's own summary cannot: stale expectations, and what became of the record."""
        for line in summary(self.outcome):
            terminalreporter.write_line(line)
        if self.unwritten:
            terminalreporter.write_line(self.unwritten)
        elif self._writer is not None and self.rows:
            terminalreporter.write_line(f"conformance: run record in {self._writer.path}")


def suite_of(cell: Cell) -> str:
    """The name of the test function that measures a cell."""
    if cell.scenario.steps > 1:
        return "test_round_trip"
    return "test_streaming" if cell.mode == "stream" else "test_complete"


def cell_of(item: pytest.Item) -> Cell | None:
    """The cell an item measures; None for items that are not ours."""
    cell = getattr(getattr(item, "callspec", None), "params", {}).get("cell")
    return cell if isinstance(cell, Cell) else None


def _is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")
