"""The harness inside one pytest session: plan, cells, and the lines of the run record.

With xdist every worker plans the same; the lines travel on the test reports to the controller, which alone writes.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from conformance.errors import CassetteStale, ConfigError, ConformanceError, NotRun, SelectionError
from conformance.model import Exchange
from conformance.run.budget import announcement
from conformance.run.connect import Connections
from conformance.run.execute import as_not_run, command, keeps, not_run, not_run_row, run_cell
from conformance.run.header import header, now, version
from conformance.run.message import failure
from conformance.run.options import plan_for
from conformance.run.outcome import NOTHING, OK, RED, Outcome, conclude, footer, summary
from conformance.run.plan import BUDGET, Cell, Plan
from conformance.run.record import RecordWriter
from conformance.run.resume import Kept, kept
from conformance.run.retry import Sent, with_retries
from conformance.run.rows import ExchangeRow
from conformance.run.samples import Samples
from conformance.run.twins import Twins
from conformance.suites.options import options_of
from conformance.suites.together import scheduler
from conformance.transport import Endpoint, Store, send
from conformance.wire.redact import MIN_SECRET, Redactor

Measure = Callable[[Cell], None]

SESSION: Final[pytest.StashKey[Session]] = pytest.StashKey()
_ROWS: Final[pytest.StashKey[list[ExchangeRow]]] = pytest.StashKey()
_ATTRIBUTE: Final = "conformance_rows"
_HIGHER: Final = "raise the limit and run again with --resume"
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
        self._twins = Twins()
        self._samples = Samples()
        self.measured = 0
        self.outcome: Outcome | None = None
        self.unwritten = ""
        self._record_mode = config.getoption("--record-mode", None) or "none"
        self._connections = Connections(self.options.timeout, self.options.max_bytes)
        self._spare = self._spare_requests(config)
        if self.plan.run_mode != "replay":
            self._connections.check(self.plan.providers)
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
            self._twins.add(self._kept.rows)
            self._samples.add(self._kept.rows)
        self._header = header(self.plan, strict=self.options.strict, resumed=self._kept.started)
        if not _is_worker(config):
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
        last = self._record_mode == "rewrite" and cell.sample == self.options.samples - 1
        if self._asks(cell) and (after := self._samples.settled(cell)):
            if store is not None:
                store.discard()
            if self._record_mode == "rewrite":
                self._forget(cell)
            pytest.skip(f"settled after {after} repetitions")
        if (spent := self._spent(cell)) is not None:
            rows.extend(not_run(cell, spent, item.name))
            if store is not None:
                store.discard()
        elif store is None and self.plan.run_mode == "replay":
            rows.extend(not_run(cell, self._missing(cell), item.name))
        else:
            self._drive(cell, item.name, store, rows)
        rows[:] = [self._without_secrets(cell, row) for row in rows]
        self._twins.add(rows)
        self._samples.add(rows)
        if last and all(row["not_run"] is None for row in rows):
            self._forget(replace(cell, sample=cell.sample + 1))
        text = failure(self.plan, cell, rows, strict=self.options.strict)
        if text:
            pytest.fail(text, pytrace=False)

    def _forget(self, cell: Cell) -> None:
        """Remove this repetition and those behind it: an older recording took more, of another time."""
        while (path := self.plan.cassette(cell)).exists():
            path.unlink()
            cell = replace(cell, sample=cell.sample + 1)

    def _spent(self, cell: Cell) -> NotRun | None:
        """Why there is no budget left for a cell; None if there is."""
        if not self._asks(cell):
            return None
        if cell.id in self.plan.over_budget:
            limit = f"--max-requests {self.options.max_requests}"
        elif self._left() <= 0:
            limit = "--max-seconds"
        else:
            return None
        return NotRun(BUDGET, f"{limit} leaves no room for it", _HIGHER)

    def _spare_requests(self, config: pytest.Config) -> int:
        """Requests that --max-requests leaves this process for further attempts."""
        if self.options.max_requests is None:
            return sys.maxsize
        planned = sum(cell.scenario.steps for cell in self.plan.cells if cell.id not in self.plan.over_budget)
        workers: int = getattr(config, "workerinput", {}).get("workercount", 1)
        return (self.options.max_requests - planned) // workers

    def _left(self) -> float:
        """Seconds until the deadline."""
        return float("inf") if self.options.deadline is None else self.options.deadline - time.time()

    def _without_secrets(self, cell: Cell, row: ExchangeRow) -> ExchangeRow:
        """The line without the provider's key: a model may spell it out in pieces that only the judge joins."""
        key = os.environ.get(cell.provider.api_key_env or "", "")
        if len(key) < MIN_SECRET:
            return row
        cleaned: ExchangeRow = json.loads(Redactor(secrets=[key]).text(json.dumps(row, ensure_ascii=False)))
        return cleaned

    def _drive(self, cell: Cell, source: str, store: Store | None, rows: list[ExchangeRow]) -> None:
        live = self._asks(cell)

        def sender(body: Mapping[str, Any], headers: Mapping[str, str]) -> Sent:
            endpoint = self._connections.endpoint(cell.provider, live=live)
            sent = with_retries(
                lambda: ask(endpoint, body, headers),
                retries=min(self.options.retries, self._spare),
                left=self._left,
                repeats=None if live or store is None else store.repeats,
            )
            self._spare -= len(sent.attempts) if live else 0
            return sent

        def ask(endpoint: Endpoint, body: Mapping[str, Any], headers: Mapping[str, str]) -> Exchange:
            if live and (left := max(self._left(), 0.001)) < max(endpoint.total, endpoint.timeout):
                endpoint = replace(endpoint, total=left, timeout=min(left, endpoint.timeout))
            try:
                return send(
                    endpoint,
                    body,
                    mode=cell.mode,
                    source=source,
                    provider=cell.provider.name,
                    model=cell.model,
                    scenario=cell.scenario.name,
                    store=store,
                    headers=headers,
                )
            except ConfigError as problem:
                raise NotRun("unsendable", str(problem)) from None
            except NotRun as problem:
                if problem.reason == "timeout" and self._left() <= 0:
                    raise NotRun(BUDGET, "--max-seconds was over before an answer came", _HIGHER) from None
                raise

        evidence = self.plan.evidence(cell) if store is not None else None
        for row in run_cell(cell, sender, source=source, evidence=evidence, twin=self._twins.of):
            rows.append(row)
            if live:
                self._connections.learn(cell.provider, row["not_run"])
        failed = next((row for row in rows if row["not_run"] is not None), None)
        if store is None:
            return
        if failed is None:
            try:
                store.check_played()
            except CassetteStale as problem:
                rows.append(not_run_row(cell, as_not_run(problem, cell), source, len(rows)))
        elif self.plan.run_mode == "record" and not keeps(failed):
            # an older recording is worth more than a refused key
            store.discard()
            for row in rows:
                row["evidence"] = None

    def _asks(self, cell: Cell) -> bool:
        """Whether a cell's requests are sent: not in a replay, nor where `once` finds a cassette."""
        if self.plan.run_mode == "record" and self._record_mode == "once":
            return not self.plan.cassette(cell).exists()
        return self.plan.run_mode != "replay"

    def _missing(self, cell: Cell) -> NotRun:
        if cell.provider.name not in self.plan.recorded:
            return NotRun(
                "no-recording",
                f"{cell.provider.name} was never recorded",
                f"conformance run --provider {cell.provider.name} --record",
            )
        return NotRun("cassette-missing", f"{self.plan.evidence(cell)} is not there", command(cell, "--record"))

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
            report.longrepr = str(call.excinfo.value)
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
                self._writer.finish(footer(self.outcome, now(), int(session.exitstatus)))
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
