"""Files in folders."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from conformance.errors import InputError

_OTHER: Final = re.compile(
    r"\.(?:c|cfg|css|csv|gif|go|html?|ico|ini|ipynb|java|jpe?g|js|lock|md|mjs|pdf|php|png|pyc?|rb|rs|rst|sh|sql|svg|toml"
    r"|tsv?|tsx|xml)$|^(?:licen[cs]e|makefile|dockerfile|notice|authors)(?:\.txt)?$",
    re.IGNORECASE,
)
"""Names that no capture has: documents, programs, pictures."""


def files(path: str | Path) -> Iterator[Path]:
    """The files that may hold exchanges, in the order of their names; a file yields itself, whatever it is called.

    In folders, hidden files and folders are passed over, and files whose names say that they are something else
    (documents, programs, pictures). Links to folders are not followed.

    Raises:
        InputError: there is no such file, a folder cannot be read, or there is nothing in it.
    """
    path = Path(path)
    if not path.is_dir():
        if not os.path.lexists(path):
            raise InputError(f"{path}: there is no such file; check the path")
        yield path
        return
    empty = True
    for found in _walk(path):
        empty = False
        yield found
    if empty:
        raise InputError(f"{path}: no file in this folder can hold an exchange; check the path")


def _walk(folder: Path) -> Iterator[Path]:
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as problem:
        raise InputError(f"{folder}: cannot be read ({problem.strerror}); check its permissions") from None
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            if entry.name != "__pycache__":
                yield from _walk(folder / entry.name)
        elif _is_file(entry) and _OTHER.search(entry.name) is None:
            yield folder / entry.name


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link to itself
        return False
