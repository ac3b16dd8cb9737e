"""One piece of work: read its exchanges, judge them, count. Runs in a worker, on this machine or another."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Final

from conformance.audit.inputs import Blob, Files, Lines, Piece
from conformance.audit.licences import is_open
from conformance.audit.tally import Key, Place, Tally
from conformance.errors import ConformanceError, InputError
from conformance.importers.formats import NoExchange
from conformance.importers.load import from_bytes, load
from conformance.importers.per_line import exchange as of_line
from conformance.model import Exchange
from conformance.quirks import Verdict, judge
from conformance.view.document import exchange_document
from conformance.wire.read import read
from conformance.wire.transcript import Transcript

OBSERVED: Final = ("provider", "model", "mode", "repository", "commit", "licence")
"""What observations are grouped by."""


def _folder(exchange: Exchange) -> str:
    return str(PurePath(_place(exchange)[0]).parent)


LABELS: Final[Mapping[str, Callable[[Exchange, Transcript], str]]] = {
    "provider": lambda e, _: e.provider,
    "model": lambda e, _: e.model or _text((e.request or {}).get("model")),
    "mode": lambda _, t: t.mode,
    "status": lambda e, _: "" if e.status is None else str(e.status),
    "folder": lambda e, _: _folder(e),
    "file": lambda e, _: _place(e)[0],
    "repository": lambda e, _: e.origin.repository if e.origin is not None else "",
    "commit": lambda e, _: e.origin.commit if e.origin is not None else "",
    "licence": lambda e, _: e.origin.licence if e.origin is not None else "",
}
"""What exchanges can be grouped by; an empty label means that nothing is known."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How to count.

    Attributes:
        by: labels, names of `LABELS`.
        published: count only recordings that may be published, by the place where they were published.
        documents: keep each exchange as a document.
    """

    by: tuple[str, ...] = ("provider",)
    published: bool = False
    documents: bool = False


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a piece brought: its tally, and (where the rule asks for them) its exchanges as lines of JSON."""

    tally: Tally
    documents: tuple[bytes, ...]


def scan(piece: Piece, rule: Rule, base: str = "") -> Scanned:
    """Count a piece. What cannot be read is counted and named, never fatal.

    Args:
        piece: what to read.
        rule: how to count.
        base: the folder that relative paths are relative to; empty for the current one.
    """
    tally = Tally()
    documents: list[bytes] = []
    for exchange in _exchanges(piece, tally, base):
        why = _unpublishable(exchange) if rule.published else ""
        if why:
            tally.left_out[why] += 1
            continue
        transcript = read(exchange)
        verdict = judge(transcript)
        key: Key = tuple(LABELS[label](exchange, transcript) for label in rule.by)
        place = _published(exchange) if rule.published else _place(exchange)
        tally.add(key, transcript, verdict, (exchange.recorded_at or "")[:10], place)
        if rule.documents:
            documents.append(_document(exchange, transcript, verdict))
    return Scanned(tally, tuple(documents))


def _document(exchange: Exchange, transcript: Transcript, verdict: Verdict) -> bytes:
    labels = {"provider": exchange.provider, "model": LABELS["model"](exchange, transcript)}
    return json.dumps(exchange_document(transcript, verdict) | labels, separators=(",", ":")).encode("ascii")


def _exchanges(piece: Piece, tally: Tally, base: str) -> Iterator[Exchange]:
    match piece:
        case Files(names, given):
            for name in names:
                tally.files += 1
                yield from _readable(_loaded(name, base, given), tally, given)
        case Blob(name, data):
            tally.files += 1
            yield from _readable(from_bytes(data, name), tally, given=True)
        case Lines():
            tally.files += piece.offset == 0
            yield from _of_lines(piece, tally, base)


def _loaded(name: str, base: str, given: bool) -> Iterator[Exchange]:
    """The exchanges of a file, by the name it was given, wherever it is read."""
    if not base or Path(name).is_absolute():
        yield from load(name)
        return
    path = str(Path(base, name))
    try:
        for exchange in load(path):
            yield replace(exchange, source=name + exchange.source.removeprefix(path))
    except ConformanceError as problem:
        raise InputError(_said(problem, given).replace(path, name)) from None


def _readable(exchanges: Iterator[Exchange], tally: Tally, given: bool) -> Iterator[Exchange]:
    try:
        yield from exchanges
    except ConformanceError as problem:
        for sentence in _said(problem, given).split("\n"):
            tally.problem(sentence, given=given)


def _said(problem: ConformanceError, given: bool) -> str:
    """What is wrong; the formats that are known are listed only where somebody named the file."""
    return problem.brief if isinstance(problem, NoExchange) and not given else str(problem)


def _of_lines(piece: Lines, tally: Tally, base: str) -> Iterator[Exchange]:
    try:
        data = _stretch(piece, base) if piece.data is None else piece.data
    except OSError as problem:
        why = f"cannot be read any more ({problem.strerror or problem}); leave it where it is"
        tally.problem(f"{piece.name}: {why}", given=piece.given)
        return
    for number, line in enumerate(data.split(b"\n"), start=piece.position):
        if line.strip():
            try:
                exchange = of_line(line, piece.name, number)
            except InputError as problem:
                tally.problem(str(problem), given=piece.given)
            else:
                if exchange is not None:
                    yield exchange


def _stretch(piece: Lines, base: str) -> bytes:
    with Path(base, piece.name).open("rb") as stream:
        stream.seek(piece.offset)
        data = stream.read(piece.size)
    if len(data) < piece.size:
        raise OSError("it became shorter")
    return data


def _place(exchange: Exchange) -> Place:
    name, _, position = exchange.source.rpartition("#")
    return (name, int(position)) if position.isdecimal() else (exchange.source, 0)


def _published(exchange: Exchange) -> Place:
    origin = exchange.origin
    return (origin.path, -1 if origin.interaction is None else origin.interaction) if origin is not None else ("", 0)


def _unpublishable(exchange: Exchange) -> str:
    """Why a recording is left out of observations; empty if it is not."""
    origin = exchange.origin
    if origin is None or not (origin.repository and origin.path and origin.commit):
        return "published nowhere"
    if origin.recorded is None:
        return "of unknown origin"
    if not origin.recorded:
        return "hand-written"
    if not is_open(origin.licence):
        return "without an open licence"
    return "" if exchange.provider else "of an unknown provider"


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
