"""The first page: provider × quirk."""

from __future__ import annotations

from conformance.report import words
from conformance.site import urls
from conformance.site.frame import Context, page


def render(context: Context) -> str:
    """The whole document."""
    return page(context, "matrix.html.j2", urls.index(), title=words.TITLE)
