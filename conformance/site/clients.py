"""What the pages about clients share: the table, its join with the matrix, and where each page stands."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from conformance.impact.join import Pair, pair
from conformance.impact.known import known
from conformance.impact.table import Row as Client
from conformance.impact.table import Table
from conformance.report import json_
from conformance.report.grid import Matrix, Row
from conformance.report.text import anchor

_RESERVED = ("index", "providers")


@dataclass(frozen=True, slots=True)
class Impact:
    """Clients beside a matrix.

    Attributes:
        table: what clients make of quirks.
        pages: the name of each client's page, by its key.
        pairs: by key of the client, then of the matrix's row; rows of which something is known.
    """

    table: Table
    pages: Mapping[str, str]
    pairs: Mapping[str, Mapping[str, Pair]]

    def page(self, client: Client) -> str:
        """The name of a client's page."""
        return self.pages[client.client["key"]]

    def on(self, client: Client, row: Row) -> Pair:
        """A client on a provider."""
        return self.pairs[client.client["key"]][row.key]


def impact(table: Table, matrix: Matrix) -> Impact:
    """Join the clients with the matrix."""
    providers = known(json.loads(json_.render(matrix)))
    beside = dict(zip((row.key for row in matrix.rows), providers, strict=True))
    rows = {row.key: beside[row.key] for row in matrix.shown}
    return Impact(
        table,
        _pages(table),
        {
            client.client["key"]: {key: pair(client, provider) for key, provider in rows.items()}
            for client in table.rows
        },
    )


def _pages(table: Table) -> Mapping[str, str]:
    taken: dict[str, str] = {}
    for row in table.rows:
        name = anchor(row.client["key"]) or "x"
        while name in taken.values() or name in _RESERVED:
            name += "-x"
        taken[row.client["key"]] = name
    return taken
