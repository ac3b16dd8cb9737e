"""Where `inspect --watch` shows what it sees: redrawn on a terminal, one line per new finding in a pipe."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Protocol, Self

import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from conformance.cli.text import colours, show
from conformance.model import Finding
from conformance.quirks import Verdict
from conformance.text import plural, visible
from conformance.view.events import events_section
from conformance.view.folding import folded
from conformance.view.parts import QUIET, Line, call_name, excerpt, place, quoted, tag
from conformance.view.report import Options, conclusion, headline, report
from conformance.view.timeline import timeline
from conformance.wire.transcript import Transcript

_MOST: Final = 6
"""Findings and calls shown at a time while the rest of the screen is for the events."""


@dataclass(frozen=True, slots=True)
class State:
    """What is known of an answer by now.

    Attributes:
        transcript: of what is there; as of an answer that may go on unless `whole`.
        verdict: only what stands for good, unless `whole`.
        whole: whether the answer is complete.
    """

    transcript: Transcript
    verdict: Verdict
    whole: bool


class Screen(Protocol):
    """What `watch` needs; a context manager, so that a terminal is left as it was."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def say(self, news: str) -> None:
        """Tell something about the file itself."""

    def forget(self) -> None:
        """Another answer begins."""

    def update(self, state: State) -> None:
        """Show how far the answer has come."""

    def leave(self) -> None:
        """Somebody ends it: what was seen last stays."""

    def finish(self, state: State) -> None:
        """The answer is complete."""


class Lines:
    """One line per new finding, and the verdict at the end."""

    def __init__(self, name: str, options: Options) -> None:
        self._name = name
        self._strict = options.strict
        self._seen: set[tuple[str, int | None, int | None]] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def say(self, news: str) -> None:
        """On standard error: it is no finding."""
        click.echo(f"{visible(self._name)}: {news}", err=True)

    def forget(self) -> None:
        """Findings of another answer are new ones."""
        self._seen.clear()

    def update(self, state: State) -> None:
        """Print what has not been printed."""
        for finding in state.verdict.findings:
            key = (finding.quirk, finding.choice, finding.call)
            if finding.level != "info" and key not in self._seen:
                self._seen.add(key)
                click.echo(f"{visible(self._name)} {place(finding.where)}: {_told(finding)}")

    def leave(self) -> None:
        """All there is to say has been said."""

    def finish(self, state: State) -> None:
        """The findings that only a complete answer can have, and the verdict."""
        self.update(state)
        show([headline(state.transcript), conclusion(state.transcript, state.verdict, self._strict)])


class Redrawn:
    """A terminal: status, findings, calls and the last events, redrawn; the whole report at the end."""

    def __init__(self, name: str, options: Options) -> None:
        self._name = name
        self._options = options
        self._news = ""
        self._state: State | None = None
        console = Console(file=sys.stdout, highlight=False, no_color=not colours())
        self._live = Live(console=console, auto_refresh=False, transient=True, vertical_overflow="crop")

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def say(self, news: str) -> None:
        """In the status line, until there is something to show."""
        self._news = news
        self._draw()

    def forget(self) -> None:
        """The next state replaces this one."""
        self._state = None

    def update(self, state: State) -> None:
        """Draw anew."""
        self._news = ""
        self._state = state
        self._draw()

    def leave(self) -> None:
        """Leave the report on what was there."""
        self._live.stop()
        if self._state is not None:
            show(report(self._state.transcript, self._state.verdict, self._options))

    def finish(self, state: State) -> None:
        """The whole report."""
        self._live.stop()
        show(report(state.transcript, state.verdict, self._options))

    def _draw(self) -> None:
        self._live.update(Group(*self._parts()), refresh=True)

    def _parts(self) -> Iterator[RenderableType]:
        news = f" ({self._news})" if self._news else ""
        yield Text(f"watching {visible(self._name)}{news}; Ctrl-C leaves", QUIET)
        if self._state is None:
            return
        transcript, verdict = self._state.transcript, self._state.verdict
        counts = f"{plural(transcript.events, 'event')}, {plural(len(transcript.body), 'byte')} so far"
        reason = f", finish_reason {visible(transcript.finish_reason, 40)}" if transcript.finish_reason else ""
        yield Text(counts + reason)
        loud = [finding for finding in verdict.findings if finding.level != "info"]
        for finding in loud[:_MOST]:
            yield Line("  ", tag(finding).append(f" at {place(finding.where)}"))
        if len(loud) > _MOST:
            yield Text(f"  and {plural(len(loud) - _MOST, 'more finding')}")
        for call in transcript.calls[-_MOST:]:
            name = call_name(call.choice, call.index)
            yield Line(f"  {name}: ", f"{quoted(call.name, 60)} {excerpt(call.arguments_raw, 60)}")
        # the table's own lines: a heading, the names of the columns, and at most two lines a row at 80 columns
        used = 6 + min(len(loud), _MOST + 1) + min(len(transcript.calls), _MOST)
        room = max(2, (shutil.get_terminal_size().lines - used) // 2)
        events = timeline(transcript)
        yield from events_section(events, folded(events)[-room:], ())


def _told(finding: Finding) -> str:
    return f"{finding.level} {finding.quirk}: {visible(finding.message)}"
