"""The Jinja environment of every HTML page: what a value holds is made visible and escaped, whoever wrote it."""

from __future__ import annotations

from functools import cache
from typing import Final

from jinja2 import Environment, PackageLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup, escape

from conformance.report import words
from conformance.report.cell import State
from conformance.report.elsewhere import Kind, url
from conformance.report.grid import place
from conformance.report.text import anchor, place_of, plural, visible

LONGEST: Final = 4000
"""Characters of one value that a page shows."""


@cache
def environment() -> Environment:
    """The one environment. Templates are named `report/…` and `site/…`; an unknown name in one is an error.

    Filters: `plural`, `ticked`. Globals: the words that views share, and where things stand.
    """
    made = Environment(
        loader=PrefixLoader({"report": PackageLoader("conformance.report"), "site": PackageLoader("conformance.site")}),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_finalize,
    )
    made.globals |= {
        "words": words,
        "State": State,
        "Kind": Kind,
        "file_url": url,
        "anchor": anchor,
        "place": place,
        "place_of": place_of,
    }
    made.filters["plural"] = plural
    made.filters["ticked"] = ticked
    return made


def ticked(text: str) -> Markup:
    """A sentence in which backticks mark code, as titles and guards have it."""
    parts = [escape(part) for part in visible(text, 1000).split("`")]
    if len(parts) % 2 == 0:
        return escape(visible(text, 1000))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if number % 2 else part for number, part in enumerate(parts)
    )


def _finalize(value: object) -> object:
    """Make every value visible before it is escaped, so that no template can forget to."""
    if isinstance(value, Markup):
        return value
    return escape(visible(value, LONGEST)) if isinstance(value, str) else value
