"""What every page of the site has in common: the frame around it, and what it may ask."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.report.environment import environment
from conformance.report.grid import Matrix
from conformance.site import urls
from conformance.site.clients import Impact


@dataclass(frozen=True, slots=True)
class Context:
    """What pages are made from.

    Attributes:
        matrix: what to show.
        root: the folder that evidence paths (`cassettes/…`) are relative to.
        cassettes: those that are copied into the site, as evidence names them.
        impact: what clients make of it; None if none were measured.
    """

    matrix: Matrix
    root: Path
    cassettes: frozenset[str] = frozenset()
    impact: Impact | None = None


def page(context: Context, template: str, path: str, *, title: str, **values: Any) -> str:
    """One page.

    Args:
        context: what pages are made from.
        template: its name in `conformance/site/templates`; it extends `site/base.html.j2`.
        path: where the page will stand in the site; `href(target)` in the template is relative to it.
        title: what the page is called.
        values: what else the template needs.
    """
    return (
        environment()
        .get_template(f"site/{template}")
        .render(
            matrix=context.matrix,
            clients_known=context.impact is not None,
            pages={column.slug for column in context.matrix.columns},
            urls=urls,
            page_path=path,
            page_title=title,
            href=lambda target: urls.relative(path, target),
            quirk_link=lambda slug: urls.relative(path, urls.quirk(slug)),
            cassette=lambda name: urls.relative(path, name) if name in context.cassettes else "",
            **values,
        )
    )
