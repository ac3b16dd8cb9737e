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


def publish(directory: Path, contents: Mapping[str, bytes], checksums: str, *, clear: bool = True) -> list[Path]:
    """Write the files, each as a whole, and remove those of an earlier time that are no longer among them.

    What was written is kept in a list of checksums beside (`sha256sum -c` reads it). A file that is not in the list, or
    not as we wrote it, is somebody else's: it is never removed, and one that is not in the list never overwritten.

    Args:
        directory: the folder; made if it is not there and something is to be written.
        contents: what to write, by path in the folder.
        checksums: the path of the list in the folder; what is published with another list is left alone.
        clear: whether to remove what is no longer among the files.

    Raises:
        ConfigError: a file of somebody else's is in the way, or a file cannot be written.
    """
    before = _listed(directory, checksums)
    foreign = [path for path in contents if path not in before and _differs(directory / path, contents[path])]
    if foreign:
        raise ConfigError(
            f"{directory / foreign[0]}: it is there already, and was not written by an earlier one of these commands; "
            "move it away, or choose another folder with -o"
        )
    if not contents and not before:
        return []
    now = {path: hashlib.sha256(content).hexdigest() for path, content in contents.items()}
    whole = before | now  # if this is interrupted, the next call knows its own
    files.write(directory / checksums, _list(whole))
    written = [files.write(directory / path, content) for path, content in contents.items()]
    if not clear:
        return [*written, directory / checksums]
    _clear(directory, {path: checksum for path, checksum in before.items() if path not in now})
    return [*written, files.write(directory / checksums, _list(now))]


def _listed(directory: Path, checksums: str) -> dict[str, str]:
    """Checksum by path of what was written before; what the list holds besides is passed over."""
    try:
        text = (directory / checksums).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    found = {line[2]: line[1] for line in map(_LINE.fullmatch, text.splitlines()) if line is not None}
    return {path: checksum for path, checksum in found.items() if _stays_below(path)}


def _stays_below(path: str) -> bool:
    parts = PurePosixPath(path)
    return not parts.is_absolute() and ".." not in parts.parts and "\\" not in path


def _list(checksums: Mapping[str, str]) -> str:
    return "".join(f"{checksum}  {path}\n" for path, checksum in sorted(checksums.items()))


def _differs(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() != content
    except OSError:
        return path.is_dir()  # what cannot be written says so when it is


def _clear(directory: Path, stale: Mapping[str, str]) -> None:
    """Remove what is still as we wrote it, and folders that are empty then."""
    for path, checksum in stale.items():
        place = directory / path
        with contextlib.suppress(OSError):
            if not place.is_symlink() and hashlib.sha256(place.read_bytes()).hexdigest() == checksum:
                place.unlink()
                for folder in place.relative_to(directory).parents[:-1]:
                    (directory / folder).rmdir()  # fails, and ends this, where something is left
