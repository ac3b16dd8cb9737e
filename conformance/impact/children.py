"""Processes started here, each with a group of its own, so that all of them can be ended at once."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path


class Stopped(Exception):
    """The measurement is being ended; nothing more is started."""


class Children:
    """Starts processes and ends them, from any thread."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stopped = threading.Event()

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped.is_set()

    def start(
        self, command: Sequence[str], folder: Path | None, environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a process with pipes.

        Args:
            command: program and arguments.
            folder: where to run it; None for here.
            environment: its variables; None for ours.

        Raises:
            Stopped: `stop` was called.
            OSError: it cannot be started.
        """
        pipe = subprocess.PIPE
        with self._guard:
            if self.stopped:
                raise Stopped
            child = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, env=environment, start_new_session=True
            )
            self._running.add(child)
        return child

    def run(self, command: Sequence[str], folder: Path | None, seconds: float) -> tuple[int, bytes]:
        """Run a program to its end, with our variables.

        Returns:
            Exit code and what it wrote to standard error.

        Raises:
            TimeoutError: it took longer, and was ended.
            Stopped: `stop` was called.
        """
        child = self.start(command, folder)
        try:
            _, stderr = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise TimeoutError from None
        finally:
            self.end(child)
        if self.stopped:
            raise Stopped
        return child.returncode, stderr

    def end(self, child: subprocess.Popen[bytes]) -> None:
        """End a process and whatever it has started, if it is not over."""
        _kill(child)
        child.wait()
        for stream in (child.stdin, child.stdout, child.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        with self._guard:
            self._running.discard(child)

    def stop(self) -> None:
        """End everything that runs, and start nothing more."""
        with self._guard:
            self._stopped.set()
            running = list(self._running)
        for child in running:
            _kill(child)


def _kill(child: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)  # the group bears the id of the process that leads it
