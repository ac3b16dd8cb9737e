"""Which exchanges a command line names: whole files, `FILE#3` for one of several, `-` for standard input."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from conformance.errors import ConformanceError, InputError
from conformance.model import Exchange
from conformance.text import plural

CLOSED: Final = "-: standard input is closed; give a file, or pipe something in"
_POSITION: Final = re.compile(r"(.+)#([0-9]{1,9})", re.DOTALL)

Request = Mapping[str, Any]


def split(name: str) -> tuple[str, int | None]:
    """The file and the position in it; a file that is really called `a#3` is that file."""
    match = _POSITION.fullmatch(name)
    if match is None or Path(name).exists():
        return name, None
    return match[1], int(match[2])


def exchanges(names: tuple[str, ...], request: Request | None) -> Iterator[Exchange | ConformanceError]:
    """Read what is named, one after the other; what cannot be read comes as the error that says so."""
    for name in names:
        try:
            yield from _chosen(name, request)
        except ConformanceError as problem:
            yield problem


def only(name: str, request: Request | None) -> Exchange:
    """The one exchange that is named.

    Raises:
        InputError: it cannot be read, or there are several to choose from.
    """
    found = list(_chosen(name, request))
    if len(found) > 1:
        file, _ = split(name)
        raise InputError(f"{file}: holds {len(found)} exchanges; choose one, as in {file}#0")
    return found[0]


def _chosen(name: str, request: Request | None) -> Iterator[Exchange]:
    from conformance.importers import load

    file, position = split(name)
    if file == "-" and sys.stdin is None:
        raise InputError(CLOSED)
    if position is None:
        yield from load(file, request)
        return
    last = -1
    for exchange in load(file, request):
        last = int(exchange.source.rpartition("#")[2])
        if last == position:
            yield exchange
            return
    raise InputError(f"{file}: has no exchange #{position}; it holds {plural(last + 1, 'exchange')}, counted from #0")
