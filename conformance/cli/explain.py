"""`conformance explain`: all that a quirk's declaration says, and what it measurably breaks."""

from __future__ import annotations

import difflib

import click

from conformance.errors import ConfigError


@click.command(short_help="Say all there is to say about one quirk.")
@click.argument("slug")
def command(slug: str) -> int:
    """Explain a quirk: what it is, why it hurts, examples, who was seen doing it, and the guard a client needs."""
    from conformance.quirks import catalogue
    from conformance.quirks.page import page

    found = {q.slug: q for q in catalogue()}
    if slug not in found:
        near = difflib.get_close_matches(slug, list(found), 3)
        hint = f"; did you mean {' or '.join(near)}?" if near else "; see 'conformance list quirks'"
        raise ConfigError(f"no quirk is called {slug!r}{hint}")
    click.echo(page(found[slug]))
    return 0
