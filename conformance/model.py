"""The nouns every layer shares: exchange, finding, and where in the bytes it is (DESIGN §2).

Standard library only, so that the accumulator can be used without anything else installed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Mode = Literal["stream", "complete"]
Level = Literal["must", "should", "info"]
Layer = Literal["server", "gateway", "client", "model"]

LEVELS: Final[tuple[Level, ...]] = ("must", "should", "info")

EndKind = Literal["end", "reset", "early-end", "timeout", "client-closed", "limit"]


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a response body.

    Attributes:
        event: number of the SSE event, counted from 0 over events that carry data; None for a JSON body.
        byte: offset of the event's first byte (for a JSON body: of the document) in the body after content decoding.
        pointer: JSON pointer (RFC 6901) inside that event's data, `""` for the whole.
    """

    event: int | None
    byte: int | None
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class Fidelity:
    """What the source of an exchange can show; a check that needs more is *not applicable*.

    Attributes:
        framing: SSE framing (`[DONE]`, comments, line ends, form of `data:`) is as the server sent it.
        presence: an absent field and a null one are told apart.
        text: JSON text (white space, escapes, number forms, duplicate keys) is as the server sent it.
        whole: the body is there from its first to its last byte.
        ids: ids are the server's own, not a recorder's placeholders.
        headers: response headers were kept (at least `content-type`).
        wire: the answer is the server's own; false: a client library or a gateway put it together, so that it shows
            what the model said and nothing of how it came.
    """

    framing: bool = True
    presence: bool = True
    text: bool = True
    whole: bool = True
    ids: bool = True
    headers: bool = True
    wire: bool = True


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a response body as the HTTP client handed it over: not a network read, but as near as it gets."""

    at_ms: float
    size: int


@dataclass(frozen=True, slots=True)
class End:
    """How the response body ended.

    Attributes:
        kind: `end` (regular), `reset`, `early-end` (fewer bytes than announced), `timeout`, `client-closed` (we stopped
            reading), `limit` (a limit of ours on time or bytes).
        detail: the client library's class and message, empty for `end`.
    """

    kind: EndKind = "end"
    detail: str = ""

    @property
    def cut(self) -> bool:
        """Whether the server's answer may have gone on."""
        return self.kind != "end"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where somebody else published the recording of an exchange.

    Attributes:
        repository: `owner/name`, empty where unknown.
        path: the file in it, empty where unknown.
        commit: the commit the file was taken from, empty where unknown.
        interaction: position of the exchange in that file, None where unknown.
        licence: SPDX expression as the source states it, empty where unknown.
        recorded: True if a recorder wrote it, False if a person did, None where nobody knows.
    """

    repository: str = ""
    path: str = ""
    commit: str = ""
    interaction: int | None = None
    licence: str = ""
    recorded: bool | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """One HTTP request and the exact bytes of its response, live, from a cassette or imported.

    Attributes:
        source: its name in a report: file as given, `#`, position in the file; for a live exchange its pytest id.
        body: response body, exactly as received (content encoding included).
        status: HTTP status; None where the source did not keep it (treated as 200).
        headers: response headers, names in lower case.
        request: the request's JSON body, None where unknown.
        asked_mode: what the request asked for; None where unknown.
        provider, model, scenario: labels, empty where unknown.
        fidelity: what the source can show.
        ended: how the body ended.
        pieces: arrival of the body, empty where unknown; sizes add up to `len(body)`.
        recorded_at: ISO 8601 date or time, None where unknown.
        origin: where the recording was published, None where it was not or nobody said.
    """

    source: str
    body: bytes
    status: int | None = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    request: Mapping[str, Any] | None = None
    asked_mode: Mode | None = None
    provider: str = ""
    model: str = ""
    scenario: str = ""
    fidelity: Fidelity = Fidelity()
    ended: End = End()
    pieces: tuple[Piece, ...] = ()
    recorded_at: str | None = None
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One occurrence of a quirk: one per quirk and call, at the first place it shows (DESIGN §6.1).

    Attributes:
        quirk: slug.
        level: how much the source demands it.
        layer: who is to blame, as far as the bytes tell.
        message: one sentence, present tense.
        expected, actual: what the source asks for and what came; `actual` is cut at 200 characters.
        count: how often it showed for this call.
        where: the first place.
        choice, call: position of the call it is about (as in `calls` of the inspect document); None for the answer.
    """

    quirk: str
    level: Level
    layer: Layer
    message: str
    expected: str
    actual: str
    count: int
    where: Where
    choice: int | None = None
    call: int | None = None
