"""What goes to the judging process and what comes back; both cross a pipe, so they are plain data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import httpx2

from conformance.model import End, Finding, Piece
from conformance.quirks import Verdict
from conformance.tap.headers import Fields
from conformance.transport.received import Received
from conformance.wire.transcript import Transcript

Standing = Literal["judged", "in part", "not judged", "other"]
"""`in part`: the client went away, and what no further byte could change was judged. `other`: no chat completion."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What all exchanges of a tap share.

    Attributes:
        base_url: the provider's.
        provider: its label.
        save: folder for cassettes, None to write none.
        begun: when the tap began, as part of file names.
        describe: makes the document of an exchange, None if nobody wants one; must be a function of a module.
    """

    base_url: str
    provider: str
    save: Path | None = None
    begun: str = ""
    describe: Callable[[Transcript, Verdict], bytes] | None = None


@dataclass(frozen=True, slots=True)
class Passed:
    """One exchange, or its beginning, as it was passed on; nothing in it is redacted yet.

    Attributes:
        number: counted from 1.
        started: local time.
        method, target: of the request line sent to the provider.
        fields: of the request, as sent.
        chat: whether it is a chat completion.
        sent: pieces of the request body; empty where no copy was kept.
        head: status, reason and fields of the response; None if none came.
        parts: pieces of the response body with their arrival in ms; empty where no copy was kept.
        ended: how the response ended.
        size: bytes of the response body.
        ms: from sending the request to the end.
        failure: why it cannot be judged, `""` if nothing is known to be in the way.
        ours: whether `failure` is the tap's own doing.
        secrets: what to redact.
    """

    number: int
    started: datetime
    method: str
    target: str
    fields: Fields = field(repr=False)
    chat: bool
    sent: tuple[bytes, ...] = field(repr=False)
    head: tuple[int, str, Fields] | None = field(repr=False)
    parts: tuple[tuple[float, bytes], ...] = field(repr=False)
    ended: End
    size: int
    ms: float
    failure: str
    ours: bool
    secrets: tuple[str, ...] = field(repr=False)

    @property
    def status(self) -> int | None:
        """HTTP status; None if the provider gave no response."""
        return None if self.head is None else self.head[0]

    @property
    def body(self) -> bytes:
        """The request body."""
        return b"".join(self.sent)

    def received(self) -> Received | None:
        """The response; None if none came."""
        if self.head is None:
            return None
        status, reason, fields = self.head
        return Received(
            status=status,
            reason=reason,
            headers=tuple((name.lower(), value) for name, value in httpx2.Headers(fields).multi_items()),
            body=b"".join(data for _, data in self.parts),
            pieces=tuple(Piece(at_ms, len(data)) for at_ms, data in self.parts),
            ended=self.ended,
            recorded_at=self.started.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        )


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What can be said for certain of an answer that is still coming."""

    number: int
    model: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of an exchange; everything in it is redacted.

    Attributes:
        number, started, status, size, ms: as in `Passed`.
        request: method and path.
        model: as asked for.
        mode: as answered; `""` where unknown.
        standing: see `Standing`.
        why: for `not judged`, the reason.
        ours: whether that reason is the tap's own doing.
        complete: whether the calls may be run.
        calls, usable: how many came, and how many are fit to be run.
        findings, applicable: the verdict.
        document: what `Settings.describe` made, None without.
        cassette: the file that holds it, None if none was written.
        problem: why none could be written, `""` if nothing went wrong.
    """

    number: int
    started: datetime
    request: str
    status: int | None
    size: int
    ms: float
    standing: Standing
    model: str = ""
    mode: str = ""
    why: str = ""
    ours: bool = False
    complete: bool = False
    calls: int = 0
    usable: int = 0
    findings: tuple[Finding, ...] = ()
    applicable: frozenset[str] = frozenset()
    document: bytes | None = None
    cassette: Path | None = None
    problem: str = ""
