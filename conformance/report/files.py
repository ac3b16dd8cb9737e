"""Where reports go, and how they point at evidence from there."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Final
from urllib.parse import quote

from conformance.errors import ConfigError
from conformance.report.grid import Matrix

BESIDE: Final = "../"
"""From the folder of the reports to the folder that holds `cassettes/`, unless found elsewhere: the published table."""


def base_for(matrix: Matrix, directory: Path) -> str:
    """The way from a folder of reports to the folder that evidence is relative to: the nearest one above that holds it.

    Args:
        matrix: its first piece of evidence is looked for.
        directory: where the reports go; need not exist.
    """
    root = root_above(matrix, directory)
    return BESIDE if root is None else "../" * (len(directory.resolve().parts) - len(root.parts))


def root_above(matrix: Matrix, place: Path) -> Path | None:
    """The nearest folder, from a place upwards, that holds the evidence; None where there is none.

    Args:
        matrix: its first piece of evidence is looked for.
        place: a folder; need not exist.
    """
    first = next((row["evidence"]["cassette"] for row in matrix.exchanges if row["evidence"] is not None), None)
    folder = place.resolve()
    folders = [folder, *folder.parents] if first is not None else []
    return next((one for one in folders if (one / str(first)).is_file()), None)


def link(base: str, cassette: str) -> str:
    """The address of a cassette; whatever the name holds, it stays a path below `base`."""
    return base + quote("./" + cassette if not base else cassette, safe="/.")


def address(url: str) -> str:
    """An http(s) address as a link may hold it, with what could end the link escaped."""
    return quote(url, safe=":/?#&=%+,;@~!$*", errors="replace")


def write(path: Path, content: str | bytes) -> Path:
    """Put a file in its place as a whole, making its folder; text is written as UTF-8.

    Raises:
        ConfigError: it cannot be written.
    """
    name = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as stream:
            stream.write(content.encode("utf-8") if isinstance(content, str) else content)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError as problem:
        raise ConfigError(
            f"{path}: cannot write it ({problem.strerror or problem}); choose another folder with -o"
        ) from None
    finally:
        if name:
            with contextlib.suppress(OSError):
                Path(name).unlink()
    return path
