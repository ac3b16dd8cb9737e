"""Exchanges as cassettes, one a file."""

from __future__ import annotations

import tempfile
from itertools import count
from pathlib import Path
from typing import Any

from vcr.request import Request

from conformance.errors import ConfigError
from conformance.transport import cassette_file
from conformance.transport.cassettes import Persister


def write(folder: Path, name: str, request: Request, response: dict[str, Any]) -> Path:
    """Write one exchange, as a whole or not at all; never over another file.

    Args:
        folder: where to.
        name: of the file, without `.yaml`.
        request, response: redacted, as vcrpy keeps them; may be changed by writing.

    Raises:
        CassetteError: it cannot be written.
    """
    names = (f"{name}{f'-{again}' if again else ''}.yaml" for again in count())
    path = next(path for path in map(folder.joinpath, names) if not path.exists())
    Persister().save_cassette(str(path), {"requests": [request], "responses": [response]}, cassette_file)
    return path


def check_folder(folder: Path) -> None:
    """Make the folder and try to write in it.

    Raises:
        ConfigError: it cannot be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        raise ConfigError(
            f"{folder}: cannot write here ({problem.strerror or problem}); choose another folder with --save"
        ) from None
