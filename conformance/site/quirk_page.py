"""One page a quirk: what it is, who shows it, and what a client does about it."""

from __future__ import annotations

from conformance.report.cell import Column
from conformance.site import urls
from conformance.site.frame import Context, page


def render(context: Context, column: Column) -> str:
    """The whole document."""
    return page(context, "quirk.html.j2", urls.quirk(column.slug), title=column.slug, column=column)
