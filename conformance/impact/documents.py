"""Reads `clients.json` and `quirks.json` again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from conformance.errors import InputError
from conformance.impact.document import SCHEMA
from conformance.impact.known import Provider, known
from conformance.impact.table import Table, table
from conformance.report import json_

CLIENTS: Final = "clients.json"
MATRIX: Final = "quirks.json"
_Read = TypeVar("_Read")


def clients(path: Path) -> Table:
    """The table of a `clients.json`.

    Raises:
        InputError: it cannot be read, or is something else.
    """
    return _read(path, SCHEMA, table, "write it with 'conformance clients run -o DIR'")


def providers(path: Path) -> list[Provider]:
    """The providers of a `quirks.json`.

    Raises:
        InputError: it cannot be read, or is something else.
    """
    return _read(path, json_.SCHEMA, known, "write it with 'conformance run -o DIR'")


def _read(path: Path, schema: str, read: Callable[[Mapping[str, Any]], _Read], fix: str) -> _Read:
    try:
        document = json.loads(path.read_text("utf-8"))
    except OSError as problem:
        raise InputError(f"{path}: cannot be read ({problem.strerror or problem}); {fix}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{path}: it is no JSON; {fix}") from None
    if not isinstance(document, dict) or document.get("schema") != schema:
        raise InputError(f"{path}: it is no {schema}; {fix}")
    try:
        return read(document)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        raise InputError(f"{path}: it says it is {schema}, but parts of it are missing or wrong; {fix}") from None
