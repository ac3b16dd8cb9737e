"""The events of a stream one by one: when they came, how large they are, what they carry and to which call it went.

Reading keeps facts, not events (DESIGN §4.2); a person wants to see the events. This is a second pass, made by the same
code that assembles the calls, so that an entry is shown at the call it really went to.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

from conformance.model import Exchange
from conformance.wire.calls import ENTRY_FIELDS, FUNCTION_FIELDS, CallState
from conformance.wire.choices import REASONING_FIELDS
from conformance.wire.decode import NotJSON, decode
from conformance.wire.entries import text_of
from conformance.wire.facts import ABSENT, Fact, Marks, spell
from conformance.wire.sse import events
from conformance.wire.transcript import Transcript
from conformance.wire.turn import Turn

CallKey = tuple[int, int]
"""Choice and position of a call, as in the inspect document."""

_ODD: Final[Mapping[str, tuple[str, str]]] = {
    Fact.INDEX_MISSING: ("index", ""),
    Fact.INDEX_STRING: ("index", "as text"),
    Fact.INDEX_TWICE_IN_CHUNK: ("index", "twice in one chunk"),
    Fact.INDEX_REUSED: ("index", "reused"),
    Fact.INDEX_STRAY_TAIL: ("index", "never opened"),
    Fact.ID_MISSING_OPENING: ("id", ""),
    Fact.ID_LATE: ("id", "late"),
    Fact.ID_REPEATED: ("id", "again"),
    Fact.ID_CHANGED: ("id", "changed"),
    Fact.ID_BLANK_CONTINUATION: ("id", "blank"),
    Fact.ID_NOT_STRING: ("id", "not a string"),
    Fact.TYPE_MISSING_OPENING: ("type", ""),
    Fact.TYPE_LATE: ("type", "late"),
    Fact.TYPE_REPEATED: ("type", "again"),
    Fact.TYPE_BLANK_CONTINUATION: ("type", "blank"),
    Fact.TYPE_OTHER: ("type", "unknown"),
    Fact.FUNCTION_MISSING_OPENING: ("function", ""),
    Fact.FUNCTION_MISSING_CONTINUATION: ("function", ""),
    Fact.NAME_MISSING_OPENING: ("name", ""),
    Fact.NAME_LATE: ("name", "late"),
    Fact.NAME_REPEATED: ("name", "again"),
    Fact.NAME_FRAGMENT: ("name", "in pieces"),
    Fact.NAME_CHANGED: ("name", "changed"),
    Fact.NAME_BLANK_CONTINUATION: ("name", "blank"),
    Fact.NAME_NOT_STRING: ("name", "not a string"),
    Fact.NAME_AT_TOP: ("name", "beside function"),
    Fact.ARGUMENTS_MISSING_OPENING: ("arguments", ""),
    Fact.ARGUMENTS_MISSING_CONTINUATION: ("arguments", ""),
    Fact.ARGUMENTS_VALUE: ("arguments", "not a string"),
}
"""Which field of an entry a fact marks, and the word for it; no word where what stands there says it."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an entry.

    Attributes:
        name: `index`, `id`, `type`, `function`, `name`, `arguments`, or the name of an unknown one.
        text: a string as it is, any other value as JSON; "" if the field is absent.
        spelling: how it came (`conformance.wire.facts.spell`).
        odd: whether it departs from the reference pattern.
        why: a word for that, "" where `spelling` says enough.
    """

    name: str
    text: str
    spelling: str
    odd: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of `tool_calls`: its call, its pointer, whether it opened that call, its fields and argument text."""

    call: CallKey
    pointer: str
    opens: bool
    fields: tuple[Field, ...]
    arguments: str


@dataclass(frozen=True, slots=True)
class Said:
    """Something else that an event carries; `kind` is what it is called in the table."""

    kind: str
    text: str = ""
    choice: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """One event with data.

    Attributes:
        number, byte: as in `Where`.
        size: bytes up to the next event (blank lines and comments between them included).
        at_ms: arrival of its last byte, in milliseconds since the request; None where unknown.
        entries, said: what it carries.
    """

    number: int
    byte: int
    size: int
    at_ms: float | None
    entries: tuple[Entry, ...]
    said: tuple[Said, ...]

    @property
    def shape(self) -> tuple[object, ...]:
        """Equal for events that differ in their text only."""
        entries = tuple((e.call, e.opens, tuple((f.name, f.spelling, f.why) for f in e.fields)) for e in self.entries)
        return entries, tuple((s.kind, s.choice) for s in self.said)


def timeline(transcript: Transcript) -> list[Event]:
    """The events of a stream, in order; empty for any other body."""
    if transcript.kind != "sse":
        return []
    arrivals = arrival_times(transcript)
    ends = [*transcript.event_offsets[1:], len(transcript.body)]
    found = []
    for number, (byte, entries, said) in enumerate(_Walk(transcript)):
        end = ends[number]
        found.append(Event(number, byte, end - byte, arrivals[number] if arrivals else None, entries, said))
    return found


def arrival_times(transcript: Transcript) -> list[float]:
    """When each event was there to its last byte; empty where the pieces are unknown or count compressed bytes."""
    exchange: Exchange = transcript.exchange
    if not exchange.pieces or transcript.body != exchange.body:
        return []
    sums = list(accumulate(piece.size for piece in exchange.pieces))
    last = len(sums) - 1
    ends = [*transcript.event_offsets[1:], len(transcript.body)]
    return [exchange.pieces[min(bisect_left(sums, end), last)].at_ms for end in ends]


class _Walk:
    """Drives the assembly once more, event by event."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._turn = Turn(transcript.asked, "stream")
        self._turn.routed = self._routed
        self._keys = {(call.choice, call.opened): (call.choice, call.index) for call in transcript.calls}
        self._counts: dict[int, tuple[int, dict[str, int]]] = {}
        self._entries: list[Entry] = []

    def __iter__(self) -> Iterator[tuple[int, tuple[Entry, ...], tuple[Said, ...]]]:
        for number, (offset, data, name, _) in enumerate(events(self._transcript.body, Marks())):
            self._entries = []
            said = self._said(number, data, name)
            yield offset, tuple(self._entries), tuple(said)

    def _said(self, number: int, data: bytes, name: str) -> list[Said]:
        named = [Said("event", name)] if name else []
        stripped = data.strip()
        if stripped == b"[DONE]":
            return [*named, Said("[DONE]")]
        if not stripped:
            return [*named, Said("no data")]
        try:
            chunk = decode(data, number, Marks())
        except NotJSON:
            return [*named, Said("not JSON", data[:200].decode("utf-8", "replace"))]
        if not isinstance(chunk, dict):
            return [*named, Said("not an object", _json(chunk))]
        self._turn.take(chunk, number)
        return [*named, *_said_of(chunk)]

    def _routed(self, call: CallState, entry: Mapping[str, Any], pointer: str) -> None:
        pieces, before = self._counts.get(id(call), (0, {}))
        now = {fact: mark.count for fact, mark in call.facts.items()}
        self._counts[id(call)] = (len(call.pieces), now)
        text = "".join(call.pieces[pieces:])
        odd = {_ODD[fact][0]: _ODD[fact][1] for fact, n in now.items() if fact in _ODD and n != before.get(fact, 0)}
        key = self._keys.get((call.choice, call.opened))
        if key is not None:
            self._entries.append(Entry(key, pointer, call.opened == call.last, _fields(entry, odd), text))


def _fields(entry: Mapping[str, Any], odd: Mapping[str, str]) -> tuple[Field, ...]:
    """The fields of an entry in the order of the reference, absent ones only if that is odd."""
    inner = entry.get("function")
    if not isinstance(inner, dict):
        custom = entry.get("custom")
        inner = custom if isinstance(custom, dict) else None
    held = inner if inner is not None else {key: entry[key] for key in ("name", "arguments") if key in entry}
    values: dict[str, Any] = {
        "index": entry.get("index", ABSENT),
        "id": entry.get("id", ABSENT),
        "type": entry.get("type", ABSENT),
        "function": ABSENT if inner is not None else entry.get("function", ABSENT),
        "name": held.get("name", ABSENT),
        "arguments": held.get("arguments", held.get("input", ABSENT)),
    }
    known = ENTRY_FIELDS | set(held if inner is None else ())
    values.update({key: value for key, value in entry.items() if key not in known})
    values.update({key: value for key, value in held.items() if key not in FUNCTION_FIELDS})
    return tuple(
        Field(name, "" if value is ABSENT else _json(value), spell(value), name in odd, odd.get(name, ""))
        for name, value in values.items()
        if value is not ABSENT or name in odd
    )


def _said_of(chunk: Mapping[str, Any]) -> Iterator[Said]:
    """What a chunk carries besides entries of calls."""
    choices = chunk.get("choices")
    listed = choices if isinstance(choices, list) else []
    for position, choice in enumerate(listed):
        if isinstance(choice, dict):
            yield from _said_by(choice, position)
    if chunk.get("error"):
        yield Said("error", _json(chunk["error"]))
    if isinstance(chunk.get("usage"), dict):
        yield Said("usage", _json(chunk["usage"]))
    if not isinstance(choices, list):
        if not chunk.get("error"):
            yield Said("no choices")
    elif not choices and not chunk.get("usage"):
        yield Said("empty choices")


def _said_by(choice: Mapping[str, Any], position: int) -> Iterator[Said]:
    index = choice.get("index")
    number = index if isinstance(index, int) else position
    delta = choice.get("delta")
    if not isinstance(delta, dict):
        message = choice.get("message")
        yield Said("no delta" if not isinstance(message, dict) else "message instead of delta", "", number)
        delta = message if isinstance(message, dict) else {}
    if delta.get("role"):
        yield Said("role", _json(delta["role"]), number)
    content = delta.get("content")
    if content:
        yield Said("content", content if isinstance(content, str) else text_of(content), number)
    for key in (*REASONING_FIELDS, "refusal"):
        if delta.get(key):
            yield Said(key, _json(delta[key]), number)
    if choice.get("finish_reason"):
        yield Said("finish_reason", _json(choice["finish_reason"]), number)


def _json(value: Any) -> str:
    """A string as it is, anything else as JSON."""
    try:
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "…"
