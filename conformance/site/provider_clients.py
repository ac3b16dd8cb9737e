"""The client libraries that a provider harms, and through which of its quirks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from conformance.impact.join import Hit, Pair
from conformance.impact.table import Row as Client
from conformance.report.grid import Row
from conformance.site.clients import Impact


@dataclass(frozen=True, slots=True)
class Line:
    """A quirk of the provider with one client: where the client's page stands, and what becomes of calls."""

    client: Client
    page: str
    hit: Hit


@dataclass(frozen=True, slots=True)
class Harmed:
    """Clients on a provider.

    Attributes:
        clients: how many were judged.
        silent: how many lose or corrupt calls on it without a word.
        sure: what harms for sure, by client, those that are told nothing first.
        depends: what depends on the form of the answer, by client.
        honest: clients that get honest answers wrong as well, and their pages.
    """

    clients: int
    silent: int
    sure: tuple[Line, ...]
    depends: tuple[Line, ...]
    honest: tuple[tuple[Client, str], ...]


def harmed(impact: Impact, row: Row) -> Harmed:
    """The clients on a row that the matrix shows."""
    pairs = [pairs[row.key] for pairs in impact.pairs.values()]
    judged = [pair for pair in pairs if pair.standing != "not-judged"]
    ordered = sorted(judged, key=lambda pair: (-len(pair.silent), -len(pair.hits)))
    return Harmed(
        len(judged),
        sum(bool(pair.silent) for pair in judged),
        tuple(line for pair in ordered for line in _lines(impact, pair, pair.hits)),
        tuple(line for pair in judged for line in _lines(impact, pair, pair.depends)),
        tuple((pair.client, impact.page(pair.client)) for pair in judged if pair.client.lost),
    )


def _lines(impact: Impact, pair: Pair, hits: Sequence[Hit]) -> Iterator[Line]:
    return (Line(pair.client, impact.page(pair.client), hit) for hit in hits)
