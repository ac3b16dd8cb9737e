"""One of two answers that are compared, and what a difference between them is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

from conformance.model import Where
from conformance.quirks import Verdict
from conformance.text import visible
from conformance.view.parts import call_name
from conformance.view.timeline import timeline
from conformance.view.values import Change
from conformance.wire.transcript import Call, Transcript

Kind = Literal["fault", "answer", "note"]
"""`fault`: two runs do not explain it; `answer`: the model may have answered differently; `note`: worth knowing."""

KINDS: Final[tuple[Kind, ...]] = ("fault", "answer", "note")


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference.

    Attributes:
        kind: what explains it.
        what: the fact that differs: `call 0 arguments`, `finish_reason`, ….
        message: one sentence; the answers are called A and B.
        places: where it arises, by `A` and `B`.
        changes: for values: the pointers at which they differ.
    """

    kind: Kind
    what: str
    message: str
    places: Mapping[str, Where] = field(default_factory=dict)
    changes: Sequence[Change] = ()


@dataclass(frozen=True)
class Side:
    """One of the two answers; `name` is `A` or `B`."""

    name: str
    transcript: Transcript
    verdict: Verdict

    @property
    def end(self) -> Where:
        """The last event, or the document."""
        return self.transcript.where(self.transcript.events - 1 if self.transcript.events else None)

    def opened(self, call: Call) -> dict[str, Where]:
        """Where a call begins."""
        return {self.name: self.transcript.where(*call.opened)}

    def argument_place(self, call: Call, offset: int) -> Where:
        """Where the argument text of a call has its character `offset` (beyond its end: where it ends)."""
        place = self.transcript.where(*call.opened)
        length = 0
        for event, pointer, text in self._pieces.get((call.choice, call.index), ()):
            place = self.transcript.where(event, pointer)
            length += len(text)
            if length > offset:
                break
        return place

    @cached_property
    def _pieces(self) -> Mapping[tuple[int, int], list[tuple[int, str, str]]]:
        found: dict[tuple[int, int], list[tuple[int, str, str]]] = {}
        for event in timeline(self.transcript):
            for entry in event.entries:
                if entry.arguments:
                    found.setdefault(entry.call, []).append((event.number, entry.pointer, entry.arguments))
        return found


def named(call: Call) -> str:
    """`call 0 (get_weather)`."""
    return f"{call_name(call.choice, call.index)} ({visible(call.name, 60) or 'without a name'})"
