"""Run a command and watch what it and its children take. Linux tells what each process has taken at its worst."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_PEAK: Final = re.compile(r"VmHWM:\s+(\d+) kB")
_PAUSE: Final = 0.05


@dataclass(frozen=True, slots=True)
class Taken:
    """What a command took.

    Attributes:
        seconds: from start to end, by the clock.
        peaks: the most memory that each of its processes held, in MB, largest first.
    """

    seconds: float
    peaks: tuple[float, ...]


def watch(command: Sequence[str]) -> Taken:
    """Run a command in a session of its own until it ends.

    Raises:
        SystemExit: it failed with more than findings (exit code above 1); the message is its own.
    """
    peaks: dict[int, float] = {}
    start = time.perf_counter()
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as running:
        while running.poll() is None:
            for process in _session(running.pid):
                peak = _peak(process)
                if peak:
                    peaks[process] = peak
            time.sleep(_PAUSE)
        seconds = time.perf_counter() - start
        message = running.stderr.read() if running.stderr is not None else ""
    if running.returncode not in (0, 1):
        raise SystemExit(message)
    return Taken(seconds, tuple(sorted(peaks.values(), reverse=True)))


def _session(leader: int) -> Iterable[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                # the fourth field after the name, which is in brackets and may hold anything
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended meanwhile
            if fields[3] == str(leader):
                yield int(entry.name)


def _peak(process: int) -> float:
    try:
        found = _PEAK.search(Path(f"/proc/{process}/status").read_text())
    except OSError:
        return 0.0
    return int(found.group(1)) / 1024 if found else 0.0
