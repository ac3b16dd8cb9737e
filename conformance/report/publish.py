"""Puts files into a folder, which may hold older ones of ours, and files that are none of ours."""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from conformance.errors import ConfigError
from conformance.report import files

_LINE: Final = re.compile(r"([0-9a-f]{64})  (.+)")
_Checksums = frozenset[str]


def publish(directory: Path, contents: Mapping[str, bytes], checksums: str, *, clear: bool = True) -> list[Path]:
    """Write the files, each as a whole, and remove those of an earlier time that are no longer among them.

    What was written is kept in a list of checksums beside (`sha256sum -c` reads it). A file that is not in the list, or
    not as we wrote it, is somebody else's: it is never removed, and never overwritten.

    Args:
        directory: the folder; made if it is not there and something is to be written.
        contents: what to write, by path in the folder.
        checksums: the path of the list in the folder; what is published with another list is left alone.
        clear: whether to remove what is no longer among the files.

    Raises:
        ConfigError: a file of somebody else's is in the way, or a file cannot be written.
    """
    before = _listed(directory, checksums)
    now = {path: frozenset([hashlib.sha256(content).hexdigest()]) for path, content in contents.items()}
    for path in now:
        _check(directory / path, now[path], before.get(path))
    if not contents and not before:
        return []
    # if this is interrupted, each file is as it was or as it is to be, and the next call knows both
    both = {path: before.get(path, frozenset()) | now.get(path, frozenset()) for path in before | now}
    files.write(directory / checksums, _list(both))
    written = [files.write(directory / path, content) for path, content in contents.items()]
    stale = {path: known for path, known in before.items() if path not in now} if clear else {}
    _clear(directory, stale)
    kept = now if clear else before | now
    return [*written, files.write(directory / checksums, _list(kept))]


def _listed(directory: Path, checksums: str) -> dict[str, _Checksums]:
    """Checksums by path of what was written before; what the list holds besides is passed over."""
    try:
        text = (directory / checksums).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    found: dict[str, _Checksums] = {}
    for line in filter(None, map(_LINE.fullmatch, text.splitlines())):
        if _stays_below(line[2]):
            found[line[2]] = found.get(line[2], frozenset()) | {line[1]}
    return found


def _stays_below(path: str) -> bool:
    parts = PurePosixPath(path)
    return not parts.is_absolute() and ".." not in parts.parts and "\\" not in path


def _list(checksums: Mapping[str, _Checksums]) -> str:
    return "".join(f"{one}  {path}\n" for path in sorted(checksums) for one in sorted(checksums[path]))


def _check(place: Path, now: _Checksums, before: _Checksums | None) -> None:
    """Refuse to overwrite what is not ours.

    Args:
        place: the file; need not exist.
        now: of what is to be written.
        before: of what was written there; None if nothing was.

    Raises:
        ConfigError: something else is there.
    """
    try:
        there = hashlib.sha256(place.read_bytes()).hexdigest()
    except OSError:
        if not place.is_dir():  # what cannot be written says so when it is
            return
        there = ""
    if there not in now | (before or frozenset()):
        why = "was changed since it was written" if before else "was not written by an earlier one of these commands"
        raise ConfigError(f"{place}: it is there already, and {why}; move it away, or choose another folder with -o")


def _clear(directory: Path, stale: Mapping[str, _Checksums]) -> None:
    """Remove what is still as we wrote it, and folders that are empty then."""
    for path, known in stale.items():
        place = directory / path
        with contextlib.suppress(OSError):
            if not place.is_symlink() and hashlib.sha256(place.read_bytes()).hexdigest() in known:
                place.unlink()
                for folder in place.relative_to(directory).parents[:-1]:
                    (directory / folder).rmdir()  # fails, and ends this, where something is left
