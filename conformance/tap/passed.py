"""What goes to the judging process and what comes back; both cross a pipe, so they are plain data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

from conformance.model import Finding
from conformance.quirks import Verdict
from conformance.tap.headers import Fields
from conformance.transport.received import Received
from conformance.wire.transcript import Transcript

Standing = Literal["judged", "in part", "not judged", "other"]
"""`in part`: the client went away, and only what no further byte could change was judged; `other`: no chat completion."""


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
        body: of the request; `b""` where no copy was kept.
        received: the response; None where no copy was kept or none came.
        status: None if the provider gave no response.
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
    body: bytes
    received: Received | None
    status: int | None
    size: int
    ms: float
    failure: str
    ours: bool
    secrets: tuple[str, ...] = field(repr=False)


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
