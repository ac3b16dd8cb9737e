"""One adapter's process: cases in, lines out, within limits on time, memory and what it prints."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from conformance.errors import NotRun
from conformance.impact.children import Children, Stopped
from conformance.impact.environment import Ready, clean
from conformance.impact.protocol import PROTOCOL, Broken, read

_TICK: Final = 0.2
_TAIL: Final = 4096
_AT_ONCE: Final = 64
"""Pieces of standard error that are taken in before anything else gets its turn."""
_LINE: Final = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What an adapter may take.

    Attributes:
        case: seconds for a case, also for the honest one with which it warms up.
        start: seconds until it says hello.
        total: seconds for all cases of one client.
        memory: bytes that its process may hold.
    """

    case: float = 10.0
    start: float = 120.0
    total: float = 1800.0
    memory: int = 4 * 1024**3


class Hung(Exception):
    """No line came in time."""


class Died(Exception):
    """The process ended without an answer; `str()` says how."""


class Adapter:
    """A running adapter.

    Args:
        name: that it has to greet with.
        ready: what starts it.
        home: an empty folder for whatever it writes.
        limits: what it may take.
        children: starts it.

    Raises:
        NotRun: it cannot be started, or does not say hello.
        Broken: it says something else than hello.
    """

    def __init__(self, name: str, ready: Ready, home: Path, limits: Limits, children: Children) -> None:
        self._children = children
        self._limits = limits
        self._waiting = b""
        self._stderr = b""
        try:
            self._child = children.start(ready.command, ready.folder, clean(home))
        except OSError as problem:
            raise NotRun("client", f"{name}: it cannot be started ({problem.strerror})") from None
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        assert self._child.stderr is not None
        self._stdin: IO[bytes] = self._child.stdin
        self._stdout: IO[bytes] = self._child.stdout
        self._words = self._child.stderr
        os.set_blocking(self._words.fileno(), False)
        try:
            self.hello = self._hello(name, ready)
        except BaseException:
            self.end()
            raise

    def ask(self, case: Mapping[str, Any], seconds: float) -> bytes:
        """Hand over a case.

        Args:
            case: the line of the case, by the protocol.
            seconds: how long the answer may take.

        Returns:
            The line it answered.

        Raises:
            Hung, Died, Broken, Stopped: no line of the protocol came.
        """
        self._hear()  # what it still had to say about the case before
        self._stderr = b""
        try:
            self._stdin.write(json.dumps(case).encode() + b"\n")
            self._stdin.flush()
        except OSError:
            raise self._died() from None
        line = self._line(seconds)
        if read(line, "outcome")["case"] != case["case"]:
            raise Broken("it answered another case than the one it was asked")
        return line

    @property
    def stderr(self) -> str:
        """The end of what it wrote to standard error between the last case and its answer."""
        return self._stderr.decode("utf-8", "replace")

    def close(self) -> int | None:
        """Close its standard input; its exit code, None if it does not end by itself."""
        with contextlib.suppress(OSError):
            self._stdin.close()
        deadline = time.monotonic() + self._limits.case
        while self._child.poll() is None and time.monotonic() < deadline:
            self._hear()
            time.sleep(0.02)
        code = self._child.poll()
        self.end()
        return code

    def end(self) -> None:
        """End the process, whatever it does."""
        self._children.end(self._child)

    def _hello(self, name: str, ready: Ready) -> dict[str, Any]:
        try:
            said = read(self._line(self._limits.start), "hello")
        except Hung:
            raise NotRun("client", f"{name}: it did not say hello within {self._limits.start:g} seconds") from None
        except Died as problem:
            last = next((one for one in reversed(self.stderr.splitlines()) if one.strip()), "")
            told = f"{name}: it ended before its hello ({problem}) {last[:300]}".rstrip()
            if ready.rebuild:
                told += f"; if its environment is damaged, remove {ready.rebuild}: it is built anew"
            raise NotRun("client", told) from None
        if said["protocol"] != PROTOCOL or (said["name"] != name and not ready.nameless):
            raise Broken(f"it greets as {said['name']}, the folder is called {name}")
        return said

    def _line(self, seconds: float) -> bytes:
        """The next line of standard output."""
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            selector.register(self._words, selectors.EVENT_READ)
            while b"\n" not in self._waiting:
                if self._children.stopped:
                    raise Stopped
                if time.monotonic() > deadline:
                    raise Hung
                self._weigh()
                found = selector.select(min(_TICK, max(0.0, deadline - time.monotonic())))
                there = [key.fileobj for key, _ in found]
                if self._words in there and not self._hear():
                    selector.unregister(self._words)
                if self._stdout in there:
                    got = os.read(self._stdout.fileno(), 65536)
                    if not got:
                        raise self._died()
                    self._waiting += got
                if len(self._waiting) > _LINE and b"\n" not in self._waiting:
                    raise Broken(f"it printed a line of more than {_LINE // 1024**2} MiB")
        self._hear()
        line, _, self._waiting = self._waiting.partition(b"\n")
        return line

    def _weigh(self) -> None:
        """End a process that takes too much memory, where the system tells (Linux)."""
        try:
            pages = int(Path(f"/proc/{self._child.pid}/statm").read_text("ascii").split()[1])
        except (OSError, IndexError, ValueError):
            return
        if pages * os.sysconf("SC_PAGE_SIZE") > self._limits.memory:
            self.end()
            raise Died(f"it took more than {self._limits.memory // 1024**2} MiB of memory")

    def _died(self) -> Died | Stopped:
        if self._children.stopped:
            return Stopped()
        deadline = time.monotonic() + 2
        while (code := self._child.poll()) is None and time.monotonic() < deadline:
            self._hear()
            time.sleep(0.02)
        self._hear()
        if code is None:
            self.end()
            return Died("it closed its standard output")
        if code >= 0:
            return Died(f"exit code {code}")
        with contextlib.suppress(ValueError):
            return Died(f"signal {signal.Signals(-code).name}")
        return Died(f"signal {-code}")

    def _hear(self) -> bool:
        """Take in what stands on standard error; false if nothing more can come."""
        with contextlib.suppress(OSError, ValueError):  # nothing there now, or ended
            for _ in range(_AT_ONCE):
                got = os.read(self._words.fileno(), 65536)
                if not got:
                    return False
                self._stderr = (self._stderr + got)[-_TAIL:]
        return True
