"""Map and merge: pieces of work to workers, their tallies into one; workers are processes here, or a Dask cluster."""

from __future__ import annotations

import multiprocessing
import signal
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from conformance.audit.inputs import Bad, Piece, pieces
from conformance.audit.scan import Rule, Scanned, scan
from conformance.audit.tally import Tally
from conformance.errors import ConfigError, ConformanceError

WINDOW: Final = 4
"""Pieces under way per worker: enough to keep it busy, few enough to keep memory flat."""

Sink = Callable[[Tally, Scanned], None]
"""Called after each piece, in the order of the input, with all that is known so far and what the piece brought."""


def audit(paths: Iterable[str], rule: Rule, workers: int = 1, cluster: str = "", sink: Sink | None = None) -> Tally:
    """Count every exchange in files and folders.

    The result depends neither on the number of workers nor on the order of the paths.

    Args:
        paths: files, folders, or `-` for standard input.
        rule: how to count.
        workers: processes of this machine; 1 counts in this one.
        cluster: address of a Dask scheduler, whose workers see the same paths; then `workers` does not matter.
        sink: told about each piece.

    Raises:
        ConfigError: the cluster cannot be reached, or Dask is not installed.
        ConformanceError: a worker was killed.
    """
    total = Tally()
    work = pieces(paths)
    if cluster:
        with _dask(cluster) as (executor, many):
            _through(executor, many, work, rule, total, sink, str(Path.cwd()))
    elif workers > 1:
        with _processes(workers) as executor:
            _through(executor, workers, work, rule, total, sink)
    else:
        for piece in work:
            _add(total, _failed(piece) if isinstance(piece, Bad) else scan(piece, rule), sink)
    return total


def _through(
    executor: Executor,
    workers: int,
    work: Iterator[Piece | Bad],
    rule: Rule,
    total: Tally,
    sink: Sink | None,
    base: str = "",
) -> None:
    under_way: deque[Future[Scanned] | Scanned] = deque()
    for piece in work:
        under_way.append(_failed(piece) if isinstance(piece, Bad) else executor.submit(scan, piece, rule, base))
        if len(under_way) >= workers * WINDOW:
            _add(total, _result(under_way.popleft()), sink)
    while under_way:
        _add(total, _result(under_way.popleft()), sink)


def _add(total: Tally, scanned: Scanned, sink: Sink | None) -> None:
    total.merge(scanned.tally)
    if sink is not None:
        sink(total, scanned)


def _result(one: Future[Scanned] | Scanned) -> Scanned:
    if isinstance(one, Scanned):
        return one
    try:
        return one.result()
    except BrokenProcessPool:
        raise ConformanceError(
            "a worker was killed, most likely for want of memory; use fewer --workers, or split the largest file"
        ) from None


def _failed(bad: Bad) -> Scanned:
    tally = Tally()
    tally.problem(bad.sentence, given=bad.given)
    return Scanned(tally, ())


@contextmanager
def _processes(workers: int) -> Iterator[Executor]:
    way = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(way)
    if way == "forkserver":
        context.set_forkserver_preload([scan.__module__])
    executor = ProcessPoolExecutor(workers, mp_context=context, initializer=_leave_interrupts_to_the_parent)
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _dask(address: str) -> Iterator[tuple[Executor, int]]:
    try:
        from distributed import Client
    except ImportError:
        raise ConfigError("--cluster needs Dask; install toolcall-conformance[cluster]") from None
    _knock(address)
    client = Client(address, timeout=10, set_as_default=False)  # type: ignore[no-untyped-call]
    with client:
        many = len(client.scheduler_info(n_workers=-1)["workers"])
        if not many:
            raise ConfigError(f"--cluster {address}: the scheduler has no workers; start some with 'dask worker'")
        yield client.get_executor(pure=False), many  # type: ignore[no-untyped-call]


def _knock(address: str) -> None:
    """Make sure that somebody listens: a client of Dask that cannot connect leaves a traceback behind."""
    place = urlsplit(address if "://" in address else f"tcp://{address}")
    if place.scheme == "inproc":
        return
    try:
        socket.create_connection((place.hostname or "", place.port or 8786), timeout=10).close()
    except (OSError, ValueError) as problem:
        raise ConfigError(
            f"--cluster {address}: no Dask scheduler answers there ({problem}); check the address"
        ) from None
