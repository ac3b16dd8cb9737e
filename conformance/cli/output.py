"""Where a command writes: standard output, or a file that appears only when it is whole."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from conformance.errors import ConfigError

Write = Callable[[str], object]


@contextlib.contextmanager
def writing(path: Path | None) -> Iterator[Write]:
    """What takes text.

    Args:
        path: the file; None for standard output. Its folder is made, and the file stays as it was unless everything
            could be written.

    Raises:
        ConfigError: the file cannot be written; known before anything is done.
    """
    if path is None:
        yield sys.stdout.write
        sys.stdout.flush()
        return
    name = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(0, "it is a folder")
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            yield stream.write
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError as problem:
        raise ConfigError(f"{path}: cannot write it ({problem.strerror or problem}); choose another file") from None
    finally:
        if name:
            with contextlib.suppress(OSError):
                Path(name).unlink()
