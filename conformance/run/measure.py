"""Measure one cell after the other: what is asked, what is kept, and what the next cell has to know of the last."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from conformance import text
from conformance.errors import CassetteError, CassetteStale, ConfigError, NotRun
from conformance.model import Exchange
from conformance.run.connect import Connections
from conformance.run.execute import as_not_run, command, keeps, not_run, not_run_row, run_cell
from conformance.run.options import Options
from conformance.run.plan import BUDGET, Cell, Plan
from conformance.run.retry import Sent, with_retries
from conformance.run.rows import ExchangeRow
from conformance.run.samples import Samples
from conformance.run.twins import Twins
from conformance.transport import Endpoint, Store, send
from conformance.wire.redact import MIN_SECRET, Redactor

_HIGHER: Final = "raise the limit and run again with --resume"


class Measurer:
    """Measures the cells of one process.

    Args:
        options, plan: what is asked for, and what is done.
        record_mode: vcrpy's.
        workers: how many processes share the plan.

    Raises:
        ConfigError: a provider cannot be asked at all.
    """

    def __init__(self, options: Options, plan: Plan, record_mode: str, workers: int) -> None:
        self._options = options
        self._plan = plan
        self._record_mode = record_mode
        self._twins = Twins()
        self._samples = Samples()
        self._connections = Connections(options.timeout, options.max_bytes)
        self._spare = self._spare_requests(workers)
        if plan.run_mode != "replay":
            self._connections.check(plan.providers)

    def know(self, rows: Iterable[ExchangeRow]) -> None:
        """Take the lines of whole cells that were measured before."""
        known = list(rows)
        self._twins.add(known)
        self._samples.add(known)

    def settled(self, cell: Cell, store: Store | None) -> int:
        """After how many repetitions another one says nothing new; then older recordings of it go. 0 if it does."""
        after = self._samples.settled(cell) if self._asks(cell) else 0
        if after:
            if store is not None:
                store.discard()
            if self._record_mode == "rewrite":
                self._forget(cell)
        return after

    def measure(self, cell: Cell, source: str, store: Store | None, rows: list[ExchangeRow]) -> None:
        """Measure a cell.

        Args:
            cell: what to measure.
            source: id of the pytest item.
            store: the cassette; None if answers come live, or if there is none to replay.
            rows: takes the lines, each as soon as it is known.
        """
        if (spent := self._spent(cell)) is not None:
            rows.extend(not_run(cell, spent, source))
            if store is not None:
                store.discard()
        elif store is None and self._plan.run_mode == "replay":
            rows.extend(not_run(cell, self._missing(cell), source))
        else:
            self._drive(cell, source, store, rows)
        rows[:] = [self._without_secrets(cell, row) for row in rows]
        self.know(rows)
        last = self._record_mode == "rewrite" and cell.sample == self._options.samples - 1
        if last and all(row["not_run"] is None for row in rows):
            self._forget(replace(cell, sample=cell.sample + 1))

    def _forget(self, cell: Cell) -> None:
        """Remove this repetition and those behind it: an older recording took more, of another time."""
        while (path := self._plan.cassette(cell)).exists():
            path.unlink()
            cell = replace(cell, sample=cell.sample + 1)

    def _spent(self, cell: Cell) -> NotRun | None:
        """Why there is no budget left for a cell; None if there is."""
        if not self._asks(cell):
            return None
        if cell.id in self._plan.over_budget:
            limit = f"--max-requests {self._options.max_requests}"
        elif self._left() <= 0:
            limit = "--max-seconds"
        else:
            return None
        return NotRun(BUDGET, f"{limit} leaves no room for it", _HIGHER)

    def _spare_requests(self, workers: int) -> int:
        """Requests that --max-requests leaves this process for further attempts."""
        if self._options.max_requests is None:
            return sys.maxsize
        planned = sum(cell.scenario.steps for cell in self._plan.cells if cell.id not in self._plan.over_budget)
        return (self._options.max_requests - planned) // workers

    def _left(self) -> float:
        """Seconds until the deadline."""
        return float("inf") if self._options.deadline is None else self._options.deadline - time.time()

    def _without_secrets(self, cell: Cell, row: ExchangeRow) -> ExchangeRow:
        """The line without the provider's key: a model may spell it out in pieces that only the judge joins."""
        key = os.environ.get(cell.provider.api_key_env or "", "")
        if len(key) < MIN_SECRET:
            return row
        cleaned: ExchangeRow = json.loads(Redactor(secrets=[key]).text(json.dumps(row)))
        return cleaned

    def _drive(self, cell: Cell, source: str, store: Store | None, rows: list[ExchangeRow]) -> None:
        live = self._asks(cell)

        def sender(body: Mapping[str, Any], headers: Mapping[str, str]) -> Sent:
            endpoint = self._connections.endpoint(cell.provider, live=live, model=cell.model)
            sent = with_retries(
                lambda: ask(endpoint, body, headers),
                retries=min(self._options.retries, self._spare),
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

        evidence = self._plan.evidence(cell) if store is not None else None
        for row in run_cell(cell, sender, source=source, evidence=evidence, twin=self._twins.of):
            rows.append(row)
            if live and row["not_run"] is None:
                self._connections.learn(cell.provider, None, model=cell.model)
        failed = next((row for row in rows if row["not_run"] is not None), None)
        if live and failed is not None:  # its later steps failed with it
            self._connections.learn(cell.provider, failed["not_run"], model=cell.model)
        if store is None:
            return
        if failed is None:
            try:
                store.check_played()
            except CassetteStale as problem:
                rows.append(not_run_row(cell, as_not_run(problem, cell), source, len(rows)))
        elif self._plan.run_mode == "record" and not keeps(failed):
            # an older recording is worth more than a refused key
            store.discard()
            for row in rows:
                row["evidence"] = None
        try:
            store.save()
        except CassetteError:
            rows.clear()  # nothing vouches for them
            raise

    def _asks(self, cell: Cell) -> bool:
        """Whether a cell's requests are sent: not in a replay, nor where `once` finds a cassette."""
        if self._plan.run_mode == "record" and self._record_mode == "once":
            return not self._plan.cassette(cell).exists()
        return self._plan.run_mode != "replay"

    def _missing(self, cell: Cell) -> NotRun:
        if cell.provider.name not in self._plan.recorded:
            return NotRun(
                "no-recording",
                f"{cell.provider.name} was never recorded",
                text.command("conformance", "run", *text.option("--provider", cell.provider.name), "--record"),
            )
        return NotRun("cassette-missing", f"{self._plan.evidence(cell)} is not there", command(cell, "--record"))
