"""`inspect --watch`: read a file again whenever it has grown, until the answer in it is complete.

While an answer is growing it is read up to its last whole event, as one that may go on: nothing about its end is
judged, and what a later event can still put right is held back until the answer is complete. A finding, once shown,
stands.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from conformance.cli.choose import split
from conformance.cli.screen import Lines, Redrawn, Screen, State
from conformance.cli.text import terminal
from conformance.errors import ConformanceError, InputError
from conformance.importers.load import MAX_FILE, from_bytes
from conformance.model import Exchange
from conformance.quirks import Verdict, judge
from conformance.quirks.early import early
from conformance.view.report import Options
from conformance.wire.facts import Fact
from conformance.wire.read import read

POLL: Final = 0.2
"""Seconds between two looks; longer where a look itself takes long."""
SETTLE: Final = 2.0
"""Seconds without growth after which a finish reason, or an error, without `[DONE]` is the end."""
_EVENT_END: Final = re.compile(rb"\r\n\r\n|\n\n|\r\r")


def watch(name: str, request: Mapping[str, Any] | None, options: Options) -> int:
    """Follow a file and show what becomes of it.

    Returns:
        The exit code of the complete answer: 1 if findings count, else 0.

    Raises:
        InputError: the file cannot be read, or there is no place where it could appear.
        KeyboardInterrupt: somebody ends it before the answer is complete; what is there has been shown.
    """
    file, position = split(name)
    follower = Follower(Path(file))
    screen: Screen = Redrawn(name, options) if terminal() else Lines(name, options)
    exchange: Exchange | None = None
    with screen:
        try:
            while True:
                began = time.monotonic()
                data = follower.look()
                if follower.news:
                    screen.say(follower.news)
                if data is not None:
                    if follower.anew:
                        screen.forget()
                    exchange = _answer_in(data, file, position, request)
                    if exchange is not None:
                        screen.update(growing(exchange))
                if exchange is not None and ended(exchange, quiet=follower.quiet >= SETTLE):
                    break
                time.sleep(max(POLL, 4 * (time.monotonic() - began)))
        except KeyboardInterrupt:
            screen.leave()
            raise
    transcript = read(exchange)
    verdict = judge(transcript)
    screen.finish(State(transcript, verdict, whole=True))
    counted = {"must", "should"} if options.strict else {"must"}
    return 1 if any(f.level in counted for f in verdict.findings) else 0


def _answer_in(data: bytes, file: str, position: int | None, request: Mapping[str, Any] | None) -> Exchange | None:
    """The chosen answer, or the last one; None as long as nothing can be read."""
    found: Exchange | None = None
    try:
        for exchange in from_bytes(data, file, request):
            if position is None or exchange.source == f"{file}#{position}":
                found = exchange
    except ConformanceError:
        pass  # half a document is no document yet
    return found


def growing(exchange: Exchange) -> State:
    """Read an answer that may go on."""
    end = max((match.end() for match in _EVENT_END.finditer(exchange.body)), default=0)
    open_ended = replace(
        exchange, body=exchange.body[:end], pieces=(), fidelity=replace(exchange.fidelity, whole=False)
    )
    transcript = read(open_ended)
    if transcript.kind != "sse":
        return State(read(replace(open_ended, body=exchange.body)), Verdict((), frozenset()), whole=False)
    return State(transcript, judge(transcript, early()), whole=False)


def ended(exchange: Exchange, quiet: bool) -> bool:
    """Whether the answer is all there; `quiet`: nothing has come for a while."""
    transcript = read(exchange)
    if transcript.kind == "json":
        return transcript.complete or transcript.error is not None
    if Fact.DONE in transcript.facts and exchange.body.endswith((b"\n\n", b"\r\n\r\n", b"\r\r")):
        return True
    return quiet and (transcript.complete or transcript.error is not None)


class Follower:
    """Looks at a file again and again.

    Attributes:
        anew: whether the last look found other content instead of more.
        news: what the last look has to say about the file itself, `""` for nothing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._data: bytes | None = None
        self._stamp: tuple[int, ...] | None = None
        self._missing = False
        self._since = time.monotonic()
        self.anew = False
        self.news = ""

    @property
    def quiet(self) -> float:
        """Seconds since the content last changed."""
        return time.monotonic() - self._since

    def look(self) -> bytes | None:
        """The content, None if it is what it was.

        Raises:
            InputError: it cannot be read, now or ever.
        """
        self.anew = False
        self.news = ""
        try:
            stat = self._path.stat()
            if stat.st_size > MAX_FILE:
                raise InputError(f"{self._path}: the file has more than {MAX_FILE // 2**20} MiB; watch a smaller one")
            stamp = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
            if stamp == self._stamp:
                return None
            data = self._path.read_bytes()
        except FileNotFoundError:
            self._absent()
            return None
        except OSError as error:
            raise InputError(f"{self._path}: cannot be read ({error.strerror}); check the path") from None
        self._missing = False
        self._stamp = stamp
        return self._changed(data)

    def _absent(self) -> None:
        if not self._path.absolute().parent.is_dir():
            raise InputError(f"{self._path}: there is no such folder to wait in; check the path")
        if not self._missing:
            self._missing = True
            self.news = "is gone; waiting for it to come back" if self._data is not None else "waiting for it to appear"
        self._stamp = None

    def _changed(self, data: bytes) -> bytes | None:
        before, self._data = self._data, data
        if before is None:
            self._since = time.monotonic()
            return data
        if data == before:
            return None
        self._since = time.monotonic()
        if not data.startswith(before):
            self.anew = True
            self.news = "begins anew"
        return data
