"""Calls that a client handed over, paired with those that were meant. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from conformance.faults.expected import ANY, Expected, Meant
from conformance.impact.folders import Runs
from conformance.impact.values import compact, parsed, same
from conformance.text import visible


@dataclass(frozen=True, slots=True)
class Hands:
    """How a client hands calls over.

    Attributes:
        runs: who runs the tools.
        ids, names: whether it hands them over at all.
    """

    runs: Runs = "user"
    ids: bool = True
    names: bool = True


USUAL: Final = Hands()
"""Everything, to a user who runs it."""


@dataclass(frozen=True, slots=True)
class Handed:
    """A call that was handed over; `value` is what its arguments say, None if they do not parse."""

    id: str
    name: str
    arguments: Any
    value: Any
    hands: Hands

    @classmethod
    def of(cls, call: Mapping[str, Any], hands: Hands) -> Handed:
        """From the adapter's line; null and absent names are `""`."""
        given = call["arguments"]
        value = parsed(given) if isinstance(given, str) else given
        return cls(word(call["id"]), word(call["name"]), given, value, hands)

    @property
    def broken(self) -> bool:
        """Whether its arguments are no object, so that whoever reads them finds out."""
        return not isinstance(self.value, dict)

    @property
    def runnable(self) -> bool:
        """Whether a user can run it without noticing anything."""
        return (bool(self.name) or not self.hands.names) and not self.broken

    def is_(self, meant: Meant) -> bool:
        """Whether it is this call."""
        return self.has_id(meant) and self.has_name(meant) and same(self.value, meant.arguments)

    def has_id(self, meant: Meant) -> bool:
        """Whether its id is that of this call; one that never came may be anything."""
        return not self.hands.ids or meant.id in ("", self.id) or (meant.id == ANY and bool(self.id))

    def has_name(self, meant: Meant) -> bool:
        """Whether its name is that of this call."""
        return not self.hands.names or self.name == meant.name

    def __str__(self) -> str:
        shown = self.arguments if isinstance(self.arguments, str) else compact(self.arguments)
        return visible(f"{self.name or '(no name)'}({shown})", 120)


@dataclass(frozen=True, slots=True)
class Match:
    """Calls meant and calls handed over, paired as far as they are the same.

    Attributes:
        missing: calls meant that nobody handed over.
        extra: calls handed over that nobody meant.
        notes: what is worth a word about the pairs.
    """

    missing: tuple[Meant, ...]
    extra: tuple[Handed, ...]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, meant: Sequence[Meant], handed: Sequence[Handed]) -> Match:
        """Pair them; order does not matter, but is noted."""
        left = list(handed)
        missing: list[Meant] = []
        places: list[int] = []
        made_up = False
        for call in meant:
            found = next((one for one in left if one.is_(call)), None)
            if found is None:
                missing.append(call)
                continue
            left = [one for one in left if one is not found]
            places.append(next(place for place, one in enumerate(handed) if one is found))
            made_up = made_up or (call.id in ("", ANY) and bool(found.id))
        notes = ("id-made-up",) * made_up + ("other-order",) * (places != sorted(places))
        return cls(tuple(missing), tuple(left), notes)


def best(expected: Expected, handed: Sequence[Handed]) -> Match:
    """The calls handed over beside those meant, or beside another right ending where that is what came."""
    found = [Match.of(calls, handed) for calls in (expected.calls, *expected.also)]
    return next((match for match in found if not match.missing and not match.extra), found[0])


def word(value: Any) -> str:
    """An id, name or finish reason as text; null, false and absent are `""`."""
    return "" if value is None or value is False else value if isinstance(value, str) else compact(value)
