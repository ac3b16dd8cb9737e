"""The judging process, and the thread that feeds it.

A process, because reading, redacting and writing a long answer takes seconds of pure Python, in which no thread of the
same process would forward a byte in time; and because whatever a provider sends may at worst end that process.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Final

from conformance.quirks.early import early
from conformance.tap.judge import conclude, look, unjudged
from conformance.tap.passed import Glimpse, Judged, Passed, Settings
from conformance.tap.recording import Recording

PATIENCE: Final = 120.0
"""Seconds that judging one exchange may take."""

Tell = Callable[[Glimpse | Judged], None]


class Worker:
    """Judges recordings in the order in which they are handed over.

    Args:
        settings: of the tap.
        tell: is told what came of each, in a thread of the worker's.
    """

    def __init__(self, settings: Settings, tell: Tell) -> None:
        self._settings = settings
        self._tell = tell
        self._jobs: queue.SimpleQueue[tuple[Recording, bool] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="tap judge", daemon=True)
        self._judge = _Process(settings)
        self.problem: Exception | None = None

    def start(self) -> None:
        """Begin; returns when the process is ready."""
        self._judge.start()
        self._thread.start()

    def look(self, recording: Recording) -> None:
        """Say what is certain so far."""
        self._jobs.put((recording, False))

    def done(self, recording: Recording) -> None:
        """Judge an exchange that is over; its copy is released afterwards."""
        self._jobs.put((recording, True))

    def close(self) -> None:
        """Judge what is waiting, then end.

        Raises:
            Exception: what `tell` raised first.
        """
        self._jobs.put(None)
        self._thread.join()
        self.kill()
        if self.problem is not None:
            raise self.problem

    def kill(self) -> None:
        """End at once; what is waiting is not judged."""
        self._judge.kill(for_good=True)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None and not self._judge.over:
            recording, over = job
            if not over and recording.closed:
                continue  # its end is in the queue, and says more
            result = self._ask(recording.passed(), over)
            if over:
                recording.release()
            if result is None:
                continue
            try:
                self._tell(result)
            except Exception as problem:
                self.problem = self.problem or problem

    def _ask(self, passed: Passed, over: bool) -> Glimpse | Judged | None:
        try:
            return self._judge.ask(passed, over)
        except TimeoutError:
            why = f"judging it took longer than {PATIENCE:g} s"
        except (EOFError, OSError):
            why = "the judging process ended unexpectedly"
        self._judge.kill()
        return unjudged(passed, self._settings, f"internal error: {why}") if over else None


class _Process:
    """The process, begun anew when it is asked after it was killed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self._lock = threading.Lock()
        self.over = False

    def start(self) -> None:
        context = multiprocessing.get_context("spawn")
        with self._lock:
            if self.over:
                raise EOFError
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=_serve, args=(theirs, self._settings), name="tap judge", daemon=True)
            self._process.start()
            theirs.close()  # so that the end of the process is the end of the pipe
        self._pipe.recv()

    def ask(self, passed: Passed, over: bool) -> Glimpse | Judged | None:
        if self._pipe is None:
            self.start()
        pipe = self._pipe
        if pipe is None:
            raise EOFError
        pipe.send((passed, over))
        if not pipe.poll(PATIENCE):
            raise TimeoutError
        answer: Glimpse | Judged | None = pipe.recv()
        return answer

    def kill(self, *, for_good: bool = False) -> None:
        with self._lock:
            self.over = self.over or for_good
            process, pipe = self._process, self._pipe
            self._process = self._pipe = None
            if process is not None and pipe is not None:
                process.kill()
                process.join()
                process.close()
                pipe.close()


def _serve(pipe: Connection, settings: Settings) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the tap's own end ends this process; until then there is work left
    if hasattr(os, "nice"):
        os.nice(10)  # whoever forwards goes first
    early()  # reads the catalogue
    pipe.send(None)
    while True:
        try:
            passed, over = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(conclude(passed, settings) if over else look(passed, settings))
        except Exception as problem:
            # not its message: that may repeat what was passed
            why = f"internal error: {type(problem).__name__} in judging it; please report this"
            pipe.send(unjudged(passed, settings, why) if over else None)
