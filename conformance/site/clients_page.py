"""Client × quirk, and client × provider."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from conformance.impact import words
from conformance.impact.join import STANDINGS, Pair
from conformance.impact.judge import OUTCOMES, harm
from conformance.impact.table import Cell
from conformance.site import urls
from conformance.site.clients import Impact
from conformance.site.frame import Context, page


@dataclass(frozen=True, slots=True)
class Line:
    """A quirk, and its cell for each client; None where it was not asked."""

    quirk: Mapping[str, Any]
    cells: tuple[Cell | None, ...]


def by_quirk(context: Context, impact: Impact) -> str:
    """Client × quirk."""
    clients = [row for row in impact.table.rows if row.client["judged"]]
    lines = [Line(quirk, tuple(row.cells.get(quirk["slug"]) for row in clients)) for quirk in impact.table.quirks]
    harming = [line for line in lines if any(cell and harm(cell.outcome) > 0 for cell in line.cells)]
    return page(
        context,
        "clients.html.j2",
        urls.clients(),
        title=words.TITLE,
        impact=impact,
        said=words,
        clients=clients,
        lines=sorted(harming, key=lambda line: -sum(bool(cell and cell.silent) for cell in line.cells)),
        harmless=[line.quirk for line in lines if line not in harming],
        outcomes=OUTCOMES,
    )


def by_provider(context: Context, impact: Impact) -> str:
    """Client × provider."""
    clients = [row for row in impact.table.rows if row.client["judged"]]
    rows = context.matrix.shown
    telling = [row for row in rows if any(_telling(impact.on(one, row)) for one in clients)]
    return page(
        context,
        "client_providers.html.j2",
        urls.client_providers(),
        title="Which client loses calls on which provider",
        impact=impact,
        said=words,
        clients=clients,
        rows=telling,
        quiet=[row for row in rows if row not in telling],
        standings=STANDINGS,
    )


def _telling(pair: Pair) -> bool:
    return bool(pair.hits or pair.depends or pair.unharmed)
