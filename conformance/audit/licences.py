"""Which licences allow facts about a recording to be published with a link to it."""

from __future__ import annotations

from functools import cache
from typing import Final

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

OPEN: Final = frozenset(
    (
        "0BSD",
        "AFL-3.0",
        "AGPL-3.0-only",
        "AGPL-3.0-or-later",
        "Apache-2.0",
        "Artistic-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "BSL-1.0",
        "CC-BY-4.0",
        "CC-BY-SA-4.0",
        "CC0-1.0",
        "EPL-2.0",
        "EUPL-1.2",
        "GPL-2.0-only",
        "GPL-2.0-or-later",
        "GPL-3.0-only",
        "GPL-3.0-or-later",
        "ISC",
        "LGPL-2.1-only",
        "LGPL-2.1-or-later",
        "LGPL-3.0-only",
        "LGPL-3.0-or-later",
        "MIT",
        "MIT-0",
        "MPL-2.0",
        "PostgreSQL",
        "Python-2.0",
        "Unlicense",
        "Zlib",
    )
)
"""SPDX identifiers of common open licences (approved by the OSI, or Creative Commons without NC and ND)."""


@cache
def is_open(expression: str) -> bool:
    """Whether an SPDX expression offers an open licence; anything that is no SPDX expression does not."""
    try:
        words = canonicalize_license_expression(expression).replace("(", " ").replace(")", " ").split()
    except InvalidLicenseExpression:
        return False
    if "AND" in words and "OR" in words:
        return all(word in OPEN for word in words if word not in ("AND", "OR"))
    some = any if "OR" in words else all
    names = [word for word in words if word not in ("AND", "OR")]
    return "WITH" not in names and some(name in OPEN for name in names)
