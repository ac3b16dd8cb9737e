"""What one pass over an exchange found out: the assembled calls and the facts about how they came (DESIGN §2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from conformance.model import Exchange, Mode, Where
from conformance.wire.facts import Mark, Marks
from conformance.wire.reasons import fails

if TYPE_CHECKING:
    from conformance.wire.shape import Shape

Repair = Literal["", "empty", "snapshot", "copy-dropped", "brace-pair-dropped", "unwrapped", "value", "surrogates"]
"""How `arguments` differs from the plain concatenation: not at all (`""`), or by one rule of DESIGN §4.4 (f)."""

ToolChoice = Literal["auto", "none", "required", "named", "other"]


@dataclass(slots=True)
class Call:
    """One assembled tool call.

    Attributes:
        choice, index: its choice, and its position in that choice's list.
        wire_index: the index as sent (after reading decimal strings as numbers); None if never sent.
        id, other_ids: first non-empty id, byte for byte (`""` if none came), and different ones that came later.
        name, name_pieces: assembled name, and the non-empty pieces it came in.
        type: `function`, `custom`, another string as sent, or `""`.
        legacy: whether it came as `function_call`.
        arguments: the text to hand on, after protocol-level repair.
        arguments_raw: plain concatenation of all pieces (values as their JSON source).
        pieces: the argument pieces in order (strings, values as their JSON source); an empty one counts as a piece.
        repair: which rule made `arguments` out of `arguments_raw`.
        value: the decoded arguments; None unless `arguments` parses strictly.
        parse_error: why `arguments` does not parse strictly to an object, "" if it does: `not JSON: …`,
            `not an object: array`, `NaN`, `beyond limits: …`.
        duplicate_key: a key that stands twice in one object of the arguments, "" if none.
        lenient_value: what Python's lenient decoder makes of `arguments` (NaN, duplicate keys allowed), else None.
        schema_errors: violations of the offered tool's schema, one sentence each; empty when none or not checkable.
        usable, unusable_because: DESIGN §6.1 `usable`, and the reasons when false (`incomplete`, `truncated`,
            `arguments`, `schema`, `name`, `tool-choice-none`, `index`). `truncated`: the token limit or a filter ended
            the answer, and nothing shows that the call is whole.
        extra: unknown fields of its entries, to be sent back unchanged (`{"extra_content": …}`; those of the function
            object under `"function"`).
        facts: what was observed about it.
        opened, last: event and pointer of its first and last entry.
        arguments_first: where its first non-empty argument piece came, None if none did.
    """

    choice: int
    index: int
    wire_index: int | None
    id: str
    other_ids: list[str]
    name: str
    name_pieces: list[str]
    type: str
    legacy: bool
    arguments: str
    arguments_raw: str
    pieces: list[str]
    repair: Repair
    value: Any
    parse_error: str
    duplicate_key: str
    lenient_value: Any
    schema_errors: list[str]
    usable: bool
    unusable_because: list[str]
    extra: dict[str, Any]
    facts: Marks
    opened: tuple[int | None, str]
    last: tuple[int | None, str]
    arguments_first: tuple[int | None, str] | None


@dataclass(slots=True)
class Choice:
    """One choice of the answer.

    Attributes:
        index: as sent, or 0 where all choices fold into one.
        content, reasoning, refusal: joined text; `content_null` tells whether only null or nothing came.
        reasoning_field: name of the field reasoning came in (`reasoning_content`, `reasoning`, …), "" if none.
        finish_reasons: every non-empty finish reason with its event, in order.
        limited: whether its finish reason, or the one a gateway passes on, says that the limit or a filter ended it.
        role: first non-empty role, "" if none.
        calls: its calls in final order.
        message: complete mode: the message object as decoded; None in a stream.
        extra: unknown fields of the message or delta that a client should send back (last value, or joined text).
        facts: what was observed about it.
        chunks: number of chunks that carried this choice.
    """

    index: int
    content: str
    content_null: bool
    reasoning: str
    reasoning_field: str
    refusal: str
    finish_reasons: list[tuple[str, int | None]]
    limited: bool
    role: str
    calls: list[Call]
    message: Mapping[str, Any] | None
    extra: dict[str, Any]
    facts: Marks
    chunks: int

    @property
    def finish_reason(self) -> str | None:
        """The first non-empty finish reason on the wire."""
        return self.finish_reasons[0][0] if self.finish_reasons else None

    @property
    def failed(self) -> bool:
        """Whether a finish reason says that the answer failed."""
        return any(fails(reason) for reason, _ in self.finish_reasons)


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool the request offers; `parameters` is None when absent."""

    name: str
    parameters: Mapping[str, Any] | None
    strict: bool
    type: str = "function"


@dataclass(frozen=True, slots=True)
class Asked:
    """What the request asked for, as far as the exchange knows it.

    Attributes:
        known: whether the request body is there.
        tools: by name; empty if none were offered or the request is unknown.
        tool_choice, named: normalised, `auto` when absent; `named` = the function's name.
        n: choices asked for (1 by default; None if the request is unknown).
        parallel: value of `parallel_tool_calls`, None if absent.
        include_usage: `stream_options.include_usage` is true.
        messages: the request's messages, empty if unknown.
        body: the request body, empty if unknown.
    """

    known: bool
    tools: Mapping[str, Tool]
    tool_choice: ToolChoice
    named: str
    n: int | None
    parallel: bool | None
    include_usage: bool
    messages: Sequence[Mapping[str, Any]]
    body: Mapping[str, Any]


@dataclass(slots=True)
class Transcript:
    """Everything the quirks look at.

    Attributes:
        exchange: what was read.
        mode: as answered; `complete` also for error bodies and bodies that are not SSE.
        kind: `sse`, `json`, `empty`, or `other` (HTML, text, undecodable).
        asked: what the request asked for.
        complete: no error, no finish reason that says it failed, no cut, and a finish reason for every choice or
            `[DONE]`, and no event too deep to read; for a JSON body: it parsed and has choices. If false, run no call.
        cut: the body ended before the answer did: the transport said so, or (whole bodies only) the last event or
            document is unfinished, or a stream has neither finish reason nor `[DONE]`.
        choices: by index; calls live in them.
        error: the first error object (or `{"message": text}` for a bare string), None if none.
        usage: the last usage object.
        facts: what was observed about the answer as a whole.
        events: number of events with data (0 for JSON).
        chunks: number of events that held a JSON object.
        body: the body after content decoding.
        event_offsets: byte offset of each data event in `body`.
        twin: the shape of the answer to the same request in the other mode; None where nobody has it. Reading leaves it
            so: an exchange does not know its twin.
    """

    exchange: Exchange
    mode: Mode
    kind: Literal["sse", "json", "empty", "other"]
    asked: Asked
    complete: bool
    cut: bool
    choices: list[Choice]
    error: Mapping[str, Any] | None
    usage: Mapping[str, Any] | None
    facts: Marks
    events: int
    chunks: int
    body: bytes
    event_offsets: Sequence[int] = field(default_factory=list)
    twin: Shape | None = None

    @property
    def calls(self) -> list[Call]:
        """All calls, choice by choice, each in final order."""
        return [call for choice in self.choices for call in choice.calls]

    @property
    def finish_reason(self) -> str | None:
        """Of choice 0 (the first one): first non-empty value on the wire, else None."""
        return self.choices[0].finish_reason if self.choices else None

    def where(self, event: int | None, pointer: str = "") -> Where:
        """Complete a place with its byte offset."""
        if event is None:
            return Where(None, 0 if self.kind == "json" else None, pointer)
        offset = self.event_offsets[event] if 0 <= event < len(self.event_offsets) else None
        return Where(event, offset, pointer)

    def at(self, mark: Mark) -> Where:
        """Where a fact was first observed."""
        return self.where(mark.event, mark.pointer)
