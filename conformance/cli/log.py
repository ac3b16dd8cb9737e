"""The log of a GitHub Actions job: nothing that a provider says becomes a command there.

Standard output and standard error are read along by the runner, which acts on commands in them
(`conformance.text.inert`). What goes to a file is left alone.
"""

from __future__ import annotations

import contextlib
import io
import os
import stat
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO, TextIO

from conformance.text import inert


@contextlib.contextmanager
def guarded() -> Iterator[None]:
    """Make what is printed inert, wherever it ends in the log; commands of ours go through `issue`."""
    before = sys.stdout, sys.stderr
    with _watched(before[0]) as out, _watched(before[1]) as errors:
        sys.stdout, sys.stderr = out, errors
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before


def issue(*commands: str) -> None:
    """Print workflow commands, on standard error, so that the output of a command of ours stays what it was.

    Args:
        commands: one line each.
    """
    lines = "".join(f"{line}\n" for line in commands)
    sys.stderr.flush()
    sink = getattr(sys.stderr, "buffer", None)
    if isinstance(sink, _Inert):
        sink.trust(lines.encode(errors="backslashreplace"))
    else:
        sys.stderr.write(lines)


class _Inert(io.BufferedIOBase):
    """Passes whole lines on, inert. The rest of a line waits for its end, so that no command comes in two parts."""

    def __init__(self, sink: BinaryIO) -> None:
        self._sink = sink
        self._rest = b""

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._sink.isatty()

    def fileno(self) -> int:
        return self._sink.fileno()

    def write(self, data: Any) -> int:
        lines, end, self._rest = (self._rest + bytes(data)).rpartition(b"\n")
        self._pass(lines + end)
        return len(data)

    def flush(self) -> None:
        self._sink.flush()

    def trust(self, lines: bytes) -> None:
        """Write commands of ours, on lines of their own."""
        if self._rest:
            self.write(b"\n")
        self._sink.write(lines)
        self._sink.flush()

    def finish(self) -> None:
        """Write what has no line end."""
        rest, self._rest = self._rest, b""
        self._pass(rest)
        self._sink.flush()

    def _pass(self, data: bytes) -> None:
        if data:
            self._sink.write(inert(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape"))


@contextlib.contextmanager
def _watched(stream: TextIO) -> Iterator[TextIO]:
    """The stream made inert; itself if it is closed, has no bytes underneath, or goes to a file."""
    sink: BinaryIO | None = getattr(stream, "buffer", None)
    if sink is None or _to_file(sink):
        yield stream
        return
    stream.flush()
    filtered: Any = _Inert(sink)
    wrapped = io.TextIOWrapper(
        filtered, encoding=stream.encoding, errors=stream.errors, line_buffering=True, write_through=True
    )
    try:
        yield wrapped
    finally:
        wrapped.flush()
        wrapped.detach()
        filtered.finish()


def _to_file(sink: BinaryIO) -> bool:
    try:
        return stat.S_ISREG(os.fstat(sink.fileno()).st_mode)
    except (OSError, ValueError):
        return False
