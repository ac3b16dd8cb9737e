"""The exchanges behind a run record: read again from their cassettes, each cassette once, and never mixed up."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from vcr.request import Request

from conformance.errors import CassetteCorrupt, CassetteError, CassetteMissing, CassetteStale
from conformance.model import Exchange
from conformance.run.rows import ExchangeRow
from conformance.text import plural
from conformance.transport.cassette_file import Unreadable
from conformance.transport.cassettes import interactions
from conformance.transport.interaction import to_exchange
from conformance.wire.read import read
from conformance.wire.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Sent:
    """A request as the cassette holds it: address, headers (names in lower case), body."""

    url: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded exchange: what was sent, what came, and what one pass over that found out."""

    sent: Sent
    exchange: Exchange
    transcript: Transcript


class Recordings:
    """Reads cassettes.

    Args:
        root: the folder that evidence paths are relative to.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: dict[str, list[tuple[Sent, Exchange]] | CassetteError] = {}
        self._read: dict[tuple[str, int], Recorded] = {}

    def of(self, row: ExchangeRow) -> Recorded:
        """The exchange that a line of a record is about.

        Raises:
            CassetteMissing: it was never recorded, or the file is not there.
            CassetteCorrupt: the file is not as it was recorded, or its name leads out of the folder.
            CassetteStale: another answer stands at that place than the one that was judged.
        """
        place = row["evidence"]
        if place is None:
            raise CassetteMissing(
                "this answer was judged live and not recorded, so that its bytes are not at hand; run it again with "
                "--record"
            )
        name, position = place["cassette"], place["interaction"]
        if (name, position) not in self._read:
            self._read[name, position] = self._at(name, position, row["sha256"])
        return self._read[name, position]

    def _at(self, name: str, position: int, sha256: str | None) -> Recorded:
        if name not in self._files:
            try:
                self._files[name] = self._load(name)
            except CassetteError as problem:
                self._files[name] = problem
        held = self._files[name]
        if isinstance(held, CassetteError):
            raise held
        again = "it was recorded again since this report's run; make the report anew from a new run"
        if not 0 <= position < len(held):
            raise CassetteStale(f"{name} has no interaction {position}, it holds {plural(len(held), 'one')}: {again}")
        sent, exchange = held[position]
        if sha256 is not None and hashlib.sha256(exchange.body).hexdigest() != sha256:
            raise CassetteStale(f"{name} holds another answer as interaction {position} than the one judged: {again}")
        return Recorded(sent, exchange, read(exchange))

    def _load(self, name: str) -> list[tuple[Sent, Exchange]]:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\\" in name:
            raise CassetteCorrupt(f"{name} leads out of the folder of the cassettes; it was not read")
        try:
            requests, responses = interactions((self._root / path).read_bytes())
        except FileNotFoundError:
            raise CassetteMissing(f"{name} is not there; restore it, or record it again") from None
        except (OSError, ValueError) as problem:
            why = problem.strerror if isinstance(problem, OSError) else problem
            raise CassetteCorrupt(f"{name} cannot be read ({why}); check its permissions") from None
        except Unreadable as problem:
            raise CassetteCorrupt(f"{name} {problem}; restore it, or record it again") from None
        return [
            (_sent(request), to_exchange(request, response, f"{name}#{number}"))
            for number, (request, response) in enumerate(zip(requests, responses, strict=True))
        ]


def _sent(request: Request) -> Sent:
    body = request.body or b""
    headers = {str(name).lower(): _text(value) for name, value in request.headers.items()}
    return Sent(str(request.uri), headers, body if isinstance(body, bytes) else str(body).encode())


def _text(value: object) -> str:
    first = value[0] if isinstance(value, list) and value else value
    return first.decode("utf-8", "replace") if isinstance(first, bytes) else str(first)
