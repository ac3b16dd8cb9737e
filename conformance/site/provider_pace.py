"""How streams of a provider arrive: when the first event, with which pauses, and arguments in pieces of which size."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from markupsafe import Markup

from conformance.errors import CassetteError
from conformance.providers.urls import is_loopback
from conformance.run.rows import ExchangeRow
from conformance.site.evidence_source import Recorded, Recordings
from conformance.site.plots import Bin, Spread, histogram, spread
from conformance.text import plural
from conformance.view.timeline import arrival_times

_MS: Final = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
_CHARACTERS: Final = (0, 1, 2, 3, 5, 9, 17, 33, 65, 129, 257, 513, 1025)


@dataclass(frozen=True, slots=True)
class Plot:
    """A histogram and its numbers.

    Attributes:
        name: for anchors.
        title, note: what was measured, and what came of it in one sentence.
        unit: of the values.
        rows: label and count of each bin.
        svg: the drawing.
    """

    name: str
    title: str
    note: str
    unit: str
    rows: tuple[tuple[str, int], ...]
    svg: Markup


@dataclass(frozen=True, slots=True)
class Pace:
    """What the recorded streams of a row tell.

    Attributes:
        streams: how many were read.
        days: first and last day of recording; empty if unknown.
        hosts: addresses that were asked, sorted.
        local: whether all of them are on the machine that asked.
        unread: recordings that cannot be read, one sentence each, and how many streams each costs.
        plots: what there is to show.
    """

    streams: int
    days: tuple[str, ...]
    hosts: tuple[str, ...]
    local: bool
    unread: tuple[tuple[str, int], ...]
    plots: tuple[Plot, ...]


def pace(recordings: Recordings, rows: Iterable[ExchangeRow]) -> Pace:
    """Measure recorded streams.

    Args:
        recordings: where the bytes are read.
        rows: the exchanges of one model of a provider.
    """
    read: list[Recorded] = []
    unread: dict[str, int] = {}
    for row in rows:
        if row["answered_mode"] != "stream" or row["not_run"] is not None:
            continue
        try:
            read.append(recordings.of(row))
        except CassetteError as problem:
            unread[str(problem)] = unread.get(str(problem), 0) + 1
    days = sorted({one.exchange.recorded_at[:10] for one in read if one.exchange.recorded_at})
    urls = {one.sent.url for one in read}
    return Pace(
        streams=len(read),
        days=(days[0], days[-1]) if days else (),
        hosts=tuple(sorted({url.removesuffix("/chat/completions") for url in urls})),
        local=bool(urls) and all(map(_local, urls)),
        unread=tuple(sorted(unread.items())),
        plots=tuple(_plots(read)),
    )


def _plots(read: Iterable[Recorded]) -> Iterable[Plot]:
    first: list[float] = []
    pauses: list[float] = []
    sizes: list[float] = []
    for one in read:
        if arrivals := arrival_times(one.transcript):
            first.append(arrivals[0])
            times = [piece.at_ms for piece in one.exchange.pieces]
            pauses += [max(0.0, after - before) for before, after in pairwise(times)]
        sizes += [len(piece) for call in one.transcript.calls for piece in call.pieces]
    yield from _plot(
        "first-event",
        "Time to the first event",
        "From sending the request until the first event was there to its last byte; one value a stream.",
        "ms",
        spread(first, _MS),
        _milliseconds,
    )
    yield from _plot(
        "pauses",
        "Pauses between arrivals",
        "Between one piece of the body and the next, as the HTTP client handed them over; all streams together.",
        "ms",
        spread(pauses, _MS),
        _milliseconds,
    )
    yield from _plot(
        "fragments",
        "Size of argument fragments",
        "Characters of `arguments` in one delta, empty ones included; all calls of all streams together.",
        "characters",
        spread(sizes, _CHARACTERS),
        _characters,
    )


def _plot(
    name: str, title: str, note: str, unit: str, values: Spread | None, label: Callable[[Bin], str]
) -> Iterable[Plot]:
    if values is None:
        return
    rows = tuple((label(one), one.count) for one in values.bins)
    most, count = max(rows, key=lambda row: row[1])
    reach = f"from {amount(values.least)} to {amount(values.most)} {unit}, median {amount(values.middle)}"
    description = (
        f"Histogram of {plural(values.number, 'value')}: {reach}; most of them, {count}, in the bar {most}. "
        "The table beside it has all numbers."
    )
    yield Plot(
        name,
        title,
        f"{note} {plural(values.number, 'value')}: {reach}.",
        unit,
        rows,
        histogram(name, title, description, rows),
    )


def amount(value: float) -> str:
    """A number for people: one decimal below a hundred, none above."""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.1f}"


def _local(url: str) -> bool:
    try:
        return is_loopback(url)
    except ValueError:  # a cassette may hold anything
        return False


def _milliseconds(one: Bin) -> str:
    """`5–10`; from the first on and below the second."""
    return f"{_thousands(one.low)}–{_thousands(one.high)}" if one.high is not None else f"{_thousands(one.low)}+"


def _thousands(value: float) -> str:
    return f"{value / 1000:g}k" if value >= 1000 else f"{value:g}"


def _characters(one: Bin) -> str:
    """Whole numbers: `5–8` for those from 5 on and below 9."""
    if one.high is None:
        return f"{one.low:g}+"
    last = one.high - 1
    return f"{one.low:g}" if last == one.low else f"{one.low:g}–{last:g}"
