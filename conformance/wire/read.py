"""Read an exchange: one pass over its bytes, all facts, the assembled calls (DESIGN §4.2).

Most of a long stream is the same delta again and again with another piece of text in it. Once a delta has been read in
full twice with the same outcome, later ones that differ in that one JSON string only are recognised by their bytes,
their string is decoded, and the facts are counted along. Everything else takes the full path.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

import orjson

from conformance.model import Exchange, Mode
from conformance.wire.asked import asked as asked_for
from conformance.wire.body import decode_body, kind_of
from conformance.wire.calls import CallState
from conformance.wire.choices import ChoiceState
from conformance.wire.decode import NotJSON, TooDeep, decode
from conformance.wire.facts import Fact, Mark, Marks, sample
from conformance.wire.schema import check_schemas
from conformance.wire.source import source_of
from conformance.wire.sse import BOM, events
from conformance.wire.transcript import Transcript
from conformance.wire.turn import Turn

_ERROR_EVENTS: Final = frozenset(("error", "stream_error"))
_MAX_MISSES: Final = 64
_PADDING: Final = b',"obfuscation":"'


def read(exchange: Exchange) -> Transcript:
    """Read one exchange.

    Args:
        exchange: any bytes at all; nothing in them makes this raise.

    Returns:
        The transcript; `Transcript.facts` tells about the answer as a whole, those of choices and calls about these.
    """
    facts = Marks()
    asked = asked_for(exchange.request)
    body = decode_body(exchange.body, exchange.headers, facts)
    kind = kind_of(body)
    media = exchange.headers.get("content-type")
    if media is not None:
        facts.note(Fact.CONTENT_TYPE, None, sample=media[:100])
    mode: Mode = "stream" if kind == "sse" or (kind == "empty" and exchange.asked_mode == "stream") else "complete"
    turn = Turn(asked, mode)
    turn.facts = facts
    offsets: list[int] = []
    unfinished = False
    if kind == "sse":
        unfinished = _Stream(turn, body, offsets).run()
    elif kind == "json":
        unfinished = _take_document(body, turn)
    cut, complete = _ending(exchange, turn, kind, unfinished)
    choices = turn.finish(complete)
    transcript = Transcript(
        exchange=exchange,
        mode=mode,
        kind=kind,
        asked=asked,
        complete=complete,
        cut=cut,
        choices=choices,
        error=turn.error,
        usage=turn.usage,
        facts=facts,
        events=len(offsets),
        chunks=turn.chunks,
        body=body,
        event_offsets=offsets,
    )
    check_schemas(transcript)
    return transcript


def _ending(exchange: Exchange, turn: Turn, kind: str, unfinished: bool) -> tuple[bool, bool]:
    """Whether the body was cut, and whether the answer is complete."""
    facts = turn.facts
    done = Fact.DONE in facts
    unread = Fact.TOO_DEEP in facts
    torn = unfinished or Fact.ENCODING_CUT in facts
    if kind == "sse":
        ended = done or turn.finished
        cut = (exchange.ended.cut and not done) or (exchange.fidelity.whole and (torn or not ended) and not done)
        if turn.error is not None and not exchange.ended.cut and not torn:
            cut = False  # the server said why it stopped
        return cut, ended and not cut and not turn.failed and not unread
    cut = exchange.ended.cut or (exchange.fidelity.whole and (torn or kind == "empty"))
    status = exchange.status
    fine = status is None or 200 <= status < 300
    return cut, bool(turn.choices) and fine and not cut and not turn.failed


def _take_document(body: bytes, turn: Turn) -> bool:
    """Read a JSON body; true if it is unfinished."""
    stripped = body.removeprefix(BOM)
    if stripped is not body and len(stripped) != len(body):
        turn.facts.note(Fact.BOM, None)
    if stripped[:1] in (b" ", b"\t", b"\r", b"\n"):
        turn.facts.note(Fact.LEADING_SPACE, None)
    try:
        document = decode(stripped, None, turn.facts)
    except TooDeep:
        turn.facts.note(Fact.TOO_DEEP, None)
        return False
    except NotJSON as error:
        turn.facts.note(Fact.NOT_JSON, None, sample=stripped[:80].decode("utf-8", "replace"))
        return _unfinished(error)
    if isinstance(document, list) and document and isinstance(document[0], dict) and document[0].get("error"):
        turn.facts.note(Fact.NOT_OBJECT, None, spelling="array")
        document = document[0]
    if not isinstance(document, dict):
        turn.facts.note(Fact.NOT_OBJECT, None, sample=sample(document))
        return False
    turn.take(document, None, _source(stripped))
    return False


def _unfinished(error: NotJSON) -> bool:
    cause = error.__cause__
    if not isinstance(cause, json.JSONDecodeError):
        return False
    return cause.pos >= len(cause.doc.rstrip()) - 1 or cause.msg.startswith("Unterminated string")


def _source(data: bytes) -> Callable[[Sequence[str | int]], str | None]:
    return lambda path: source_of(data.decode("utf-8", "replace"), path)


class _Stream:
    """The loop over the events of one stream."""

    def __init__(self, turn: Turn, body: bytes, offsets: list[int]) -> None:
        self.turn = turn
        self.body = body
        self.offsets = offsets
        self.template: _Template | None = None
        self.misses = 0
        self.unfinished = False

    def run(self) -> bool:
        """Read all events; true if the last one is unfinished."""
        note_offset = self.offsets.append
        prefix = suffix = b""
        first = last = 0
        active: _Template | None = None
        loads = orjson.loads
        number = -1
        for offset, data, name, ended in events(self.body, self.turn.facts):
            note_offset(offset)
            number += 1
            if active is not None:
                bare = _without_padding(data) if active.padded else data
                if bare.startswith(prefix) and bare.endswith(suffix) and not name and ended:
                    try:
                        piece = loads(bare[first:last])
                    except orjson.JSONDecodeError:
                        piece = ""
                    if piece:
                        active.repeats.append(piece)
                        continue
                active.close(number - 1)
                active = None
            self._event(number, data, name, ended)
            if self.template is not None and self.template.ready:
                active = self.template
                prefix, suffix = active.prefix, active.suffix
                first, last = len(prefix) - 1, 1 - len(suffix)  # the string with its quotes
        if active is not None:
            active.close(number)
        return self.unfinished

    def _event(self, number: int, data: bytes, name: str, ended: bool) -> None:
        facts = self.turn.facts
        if data == b"[DONE]" or data.strip() == b"[DONE]":
            facts.note(Fact.DONE, number)
            self.template = None
            if not ended:
                facts.note(Fact.LAST_EVENT_UNTERMINATED, number, spelling="done")
            return
        if Fact.DONE in facts and data.strip():
            facts.note(Fact.DATA_AFTER_DONE, number, sample=data[:80].decode("utf-8", "replace"))
        if not data.strip():
            facts.note(Fact.DATA_EMPTY, number)
            return
        try:
            value = decode(data, number, facts)
        except TooDeep:
            facts.note(Fact.TOO_DEEP, number)
            return
        except NotJSON:
            self._not_json(number, data, name, ended)
            return
        if not ended:
            facts.note(Fact.LAST_EVENT_UNTERMINATED, number, spelling="data")
        if not isinstance(value, dict):
            if name in _ERROR_EVENTS:
                self.turn.take_error(value, number, "event")
            else:
                facts.note(Fact.NOT_OBJECT, number, sample=sample(value))
            return
        if name in _ERROR_EVENTS:
            self.turn.chunks += 1
            self.turn.take_error(value.get("error") or value, number, "event")
            return
        self._chunk(number, data, value)

    def _not_json(self, number: int, data: bytes, name: str, ended: bool) -> None:
        facts = self.turn.facts
        text = data[:200].decode("utf-8", "replace")
        if name in _ERROR_EVENTS:
            self.turn.take_error(text, number, "event")
        elif not ended:
            facts.note(Fact.LAST_EVENT_UNTERMINATED, number, spelling="cut", sample=text[:80])
            self.unfinished = True
        else:
            spelling = "comment" if data.lstrip().startswith(b":") else ""
            facts.note(Fact.NOT_JSON, number, spelling=spelling, sample=text[:80])

    def _chunk(self, number: int, data: bytes, value: dict[str, Any]) -> None:
        if self.misses > _MAX_MISSES:
            # a stream whose deltas all differ in more than one place: stop looking for a pattern
            self.turn.take(value, number, _source(data))
            return
        candidate = _Template.of(data, value, self.turn)
        before = candidate.snapshot() if candidate is not None else None
        self.turn.take(value, number, _source(data))
        if candidate is None or before is None:
            self.template = None
            return
        candidate.learn(before)
        held = self.template
        if held is not None and held.same_as(candidate):
            candidate.ready = True
            self.misses = 0
        else:
            self.misses += 1
        self.template = candidate


def _without_padding(data: bytes) -> bytes:
    """The event without OpenAI's random `obfuscation` text, which differs on every chunk and means nothing."""
    start = data.rfind(_PADDING)
    if start < 0:
        return data
    end = data.find(b'"', start + len(_PADDING))
    if end < 0 or not data[start + len(_PADDING) : end].isalnum():
        return data
    return data[:start] + data[end + 1 :]


class _Template:
    """A delta all of whose bytes but one JSON string are known, with what reading it does to the facts."""

    __slots__ = ("_bumps", "_call", "_choice", "_pieces", "_turn", "padded", "prefix", "ready", "repeats", "suffix")

    def __init__(
        self,
        turn: Turn,
        choice: ChoiceState,
        call: CallState | None,
        pieces: list[str],
        prefix: bytes,
        suffix: bytes,
        padded: bool,
    ) -> None:
        self._turn = turn
        self._choice = choice
        self._call = call
        self._pieces = pieces
        self._bumps: list[tuple[Mark, int, dict[str, int]]] = []
        self.prefix = prefix
        self.suffix = suffix
        self.padded = padded
        self.ready = False
        self.repeats: list[str] = []

    @classmethod
    def of(cls, data: bytes, chunk: dict[str, Any], turn: Turn) -> _Template | None:
        """The template of a plain continuation: one choice that has begun, one piece of argument text or content."""
        choices = chunk.get("choices")
        if not isinstance(choices, list) or len(choices) != 1 or not isinstance(choices[0], dict):
            return None
        delta = choices[0].get("delta")
        if not isinstance(delta, dict) or choices[0].get("finish_reason") or len(turn.choices) != 1:
            return None
        (state,) = turn.choices.values()
        entries = delta.get("tool_calls")
        content = delta.get("content")
        call: CallState | None = None
        if isinstance(entries, list) and len(entries) == 1 and isinstance(entries[0], dict) and not content:
            entry = entries[0]
            function = entry.get("function")
            call = state.last
            if call is None or not call.has_arguments or not isinstance(function, dict):
                return None
            if (
                entry.get("index") != call.wire_index
                or function.get("name")
                or entry.get("id") not in (None, "", call.id)
            ):
                return None
            piece, key, pieces = function.get("arguments"), b'"arguments"', call.pieces
        elif content and not entries:
            piece, key, pieces = content, b'"content"', state.content
        else:
            return None
        bare = _without_padding(data)
        padded = bare is not data
        data = bare
        if not isinstance(piece, str) or not piece or data.count(key) != 1 or state.finish_reasons:
            return None
        start = data.index(key) + len(key)
        start = data.find(b'"', start) + 1
        end = start
        while (end := data.find(b'"', end)) > 0:
            slashes = 0
            while data[end - 1 - slashes] == 0x5C:
                slashes += 1
            if slashes % 2 == 0:
                break
            end += 1
        try:
            if start == 0 or end <= 0 or orjson.loads(data[start - 1 : end + 1]) != piece:
                return None
        except orjson.JSONDecodeError:
            return None
        return cls(turn, state, call, pieces, data[:start], data[end:], padded)

    def same_as(self, other: _Template) -> bool:
        """Whether both stand for the same delta with the same outcome."""
        return (
            self.prefix == other.prefix
            and self.suffix == other.suffix
            and self._pieces is other._pieces
            and [(id(m), n, s) for m, n, s in self._bumps] == [(id(m), n, s) for m, n, s in other._bumps]
        )

    def _marks(self) -> list[Mark]:
        marks = [*self._turn.facts.values(), *self._choice.facts.values()]
        return marks if self._call is None else [*marks, *self._call.facts.values()]

    def snapshot(self) -> dict[int, tuple[int, dict[str, int]]]:
        """The counts of all facts before the delta is read."""
        return {id(m): (m.count, dict(m.spellings)) for m in self._marks()}

    def learn(self, before: dict[int, tuple[int, dict[str, int]]]) -> None:
        """See which facts reading the delta has counted."""
        for mark in self._marks():
            count, spellings = before.get(id(mark), (0, {}))
            if mark.count != count:
                grown = {s: n - spellings.get(s, 0) for s, n in mark.spellings.items() if n != spellings.get(s, 0)}
                self._bumps.append((mark, mark.count - count, grown))

    def close(self, last_event: int) -> None:
        """Take all `repeats`, the pieces of text of the same delta again; `last_event` was the last of them."""
        repeats = len(self.repeats)
        self.ready = False
        if not repeats:
            return
        self._pieces += self.repeats
        self.repeats.clear()
        self._turn.chunks += repeats
        self._choice.chunks += repeats
        if self._call is not None:
            self._call.last = (last_event, self._call.last[1])
        for mark, count, spellings in self._bumps:
            mark.count += count * repeats
            mark.last_event = last_event
            for spelling, n in spellings.items():
                mark.spellings[spelling] += n * repeats
