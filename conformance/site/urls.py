"""Where each page of the site stands; the only place that knows. Paths are relative to the site's folder, with `/`."""

from __future__ import annotations

import posixpath
import re
from typing import Final
from urllib.parse import quote

from conformance.report.grid import Row

INDEX: Final = "index.html"
STYLE: Final = "assets/site.css"
SCRIPT: Final = "assets/site.js"
CHECKSUMS: Final = "assets/SHA256SUMS"

_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9-]*")


def index() -> str:
    """The matrix."""
    return INDEX


def provider(row: Row) -> str:
    """The page of one row."""
    return f"providers/{row.key}.html"


def quirk(slug: str) -> str:
    """The page of one quirk."""
    return f"quirks/{_name(slug)}.html"


def evidence(row: Row, slug: str) -> str:
    """The page about one cell."""
    return f"evidence/{row.key}/{_name(slug)}.html"


def clients() -> str:
    """Client × quirk."""
    return "clients/index.html"


def client_providers() -> str:
    """Client × provider."""
    return "clients/providers.html"


def client(name: str) -> str:
    """The page of one client; `name` is the page's (`conformance.site.clients`)."""
    return f"clients/{name}.html"


def view(slug: str) -> str:
    """The matrix, with the row of one quirk only; the script of the page reads this."""
    return f"{INDEX}#q={_name(slug)}&level=must,should,info&all=1"


def relative(start: str, target: str) -> str:
    """How a link on the page `start` names `target`, which may end with `#…`."""
    path, mark, fragment = target.partition("#")
    return quote(posixpath.relpath(path, posixpath.dirname(start) or ".")) + mark + quote(fragment, safe="=&,")


def _name(slug: str) -> str:
    """A slug as a file name; a record may hold one that is none, and it must not leave the folder."""
    return slug if _SLUG.fullmatch(slug) else "x-" + slug.encode().hex()
