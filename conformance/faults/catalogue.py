"""What can be planted: each fault and legal variation by name, in the modes in which it can show."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from conformance.errors import ConfigError
from conformance.faults.honest import Answer
from conformance.model import Mode

Chunks = list[Any]
"""Chunks of a stream; a dict becomes a JSON event, bytes stand in the body as they are."""

# fmt: off
Ask = Literal[
    "one", "two", "none", "required", "named", "serial", "n2", "usage", "history", "again", "strict", "text",
    "other-order", "unknown-id", "empty-ids",
]
# fmt: on
Left = Literal["all", "unusable", "none"]


@dataclass(frozen=True, slots=True)
class Wire:
    """A response on its way out.

    Attributes:
        body: the bytes to send.
        status: HTTP status.
        headers: response headers that differ from the honest ones.
        cut: the connection is closed before the body's announced end.
    """

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault or legal variation.

    Attributes:
        name: slug.
        title: what the server does, one phrase.
        legal: whether it is a legal variation, known to upset checkers.
        ask: which request brings it out.
        scenario: name of the scenario whose first request brings it out, in place of `ask`.
        says: what the server says instead of the honest answer, which holds the request; a `Wire` is sent as it stands.
        stream, complete: how the chunks or the document change; None where it cannot show.
        beside: how the document changes that a stream is held against; it is not judged itself.
        wire: how the bytes of either change, after that.
        mode: the answer comes in this mode whatever was asked for.
        shows: names of findings, any of which is the right one. For a legal variation: those it may show below `must`.
        left: what a correct reader ends with: all the calls, calls that must not be run, or none.
    """

    name: str
    title: str
    legal: bool
    ask: Ask
    shows: frozenset[str]
    left: Left
    says: Callable[[Answer], Answer | Wire] | None = None
    stream: Callable[[Chunks], Chunks] | None = None
    complete: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    wire: Callable[[Wire, Mode], Wire] | None = None
    mode: Mode | None = None
    scenario: str = ""
    beside: Callable[[dict[str, Any]], dict[str, Any]] | None = None

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The modes in which it can show."""
        if self.stream is None and self.complete is None:
            return ("stream", "complete")
        found: list[Mode] = []
        if self.stream is not None:
            found.append("stream")
        if self.complete is not None:
            found.append("complete")
        return tuple(found)


FAULTS: Final[dict[str, Fault]] = {}


def plant(
    name: str,
    title: str,
    shows: str = "",
    *,
    legal: bool = False,
    ask: Ask = "one",
    left: Left = "all",
    says: Callable[[Answer], Answer | Wire] | None = None,
    stream: Callable[[Chunks], Chunks] | None = None,
    complete: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
    wire: Callable[[Wire, Mode], Wire] | None = None,
    mode: Mode | None = None,
    scenario: str = "",
    beside: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
) -> None:
    """Enter a fault; see `Fault`. `shows` are names separated by spaces."""
    if name in FAULTS:
        raise ValueError(f"two faults are called {name}")
    known_by = frozenset(shows.split())
    FAULTS[name] = Fault(name, title, legal, ask, known_by, left, says, stream, complete, wire, mode, scenario, beside)


def find(name: str) -> Fault:
    """The fault with this name.

    Raises:
        ConfigError: there is none.
    """
    if name in FAULTS:
        return FAULTS[name]
    near = difflib.get_close_matches(name, list(FAULTS), 3)
    hint = f"; did you mean {' or '.join(near)}?" if near else "; see 'conformance serve --list'"
    raise ConfigError(f"no fault is called {name!r}{hint}")
