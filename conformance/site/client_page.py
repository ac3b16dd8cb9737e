"""One page a client: its version, how it is driven, what breaks it, and on which providers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.impact import words
from conformance.impact.join import STANDINGS
from conformance.impact.judge import OUTCOMES, harm
from conformance.impact.table import Row
from conformance.report.files import address
from conformance.site import urls
from conformance.site.clients import Impact
from conformance.site.frame import Context, page

_ORDER = ("silent", "loud", "flagged")
_QUIET = ("unharmed", "nothing-known")


def render(context: Context, impact: Impact, client: Row) -> str:
    """The whole document."""
    said = client.client
    quirks = {quirk["slug"]: quirk for quirk in impact.table.quirks}
    hurt = [(slug, cell) for slug, cell in client.cells.items() if harm(cell.outcome) > 0]
    pairs = [(row, impact.on(client, row)) for row in context.matrix.shown]
    home = said["home"]
    return page(
        context,
        "client.html.j2",
        urls.client(impact.page(client)),
        title=client.label,
        impact=impact,
        said=words,
        client=said,
        home=address(home) if home.startswith(("https://", "http://")) else "",
        tally=words.tally(client),
        hurt=[
            (quirks[slug], cell, _cases(cell.cases))
            for slug, cell in sorted(hurt, key=lambda one: -harm(one[1].outcome))
        ],
        survived=[slug for slug, cell in client.cells.items() if cell.outcome == "right"],
        unasked=[slug for slug, cell in client.cells.items() if cell.outcome == "not-applicable"],
        pairs=sorted((one for one in pairs if one[1].hits), key=lambda one: _ORDER.index(one[1].there)),
        depends=[one for one in pairs if one[1].depends],
        quiet=[(standing, [row for row, pair in pairs if pair.there == standing]) for standing in _QUIET],
        faults={fault["fault"]: fault["title"] for quirk in impact.table.quirks for fault in quirk["faults"]},
        standings=STANDINGS,
        outcomes=OUTCOMES,
        control=client.lost,
        honest=words.honest(client),
    )


def _cases(cases: Any) -> list[Mapping[str, Any]]:
    """The faults that harm, worst first."""
    return sorted((case for case in cases if harm(case["outcome"]) > 0), key=lambda case: -harm(case["outcome"]))
