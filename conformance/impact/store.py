"""What was seen before, so that the same client is not asked the same thing again.

Observations are kept, not verdicts: a change of the rules needs no new measurement. A hang is never kept, it may be the
machine's. A file that cannot be read is measured anew.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Observation:
    """What came of a case.

    Attributes:
        line: the adapter's line, steady; `""` if none came.
        died: how its process ended instead, `""` if it did not.
        hung: no line came in time, twice.
        asked: for each request the server got: its mode, or `elsewhere`.
        stderr: the end of what it wrote to standard error.
    """

    line: str = ""
    died: str = ""
    hung: bool = False
    asked: tuple[str, ...] = ()
    stderr: str = ""


class Store:
    """The observations of one client in one environment.

    Args:
        path: JSON Lines; None keeps nothing.
        fresh: do not read what is there.
    """

    def __init__(self, path: Path | None, fresh: bool = False) -> None:
        self._path = path
        self._known: dict[str, dict[str, Any]] = {}
        if path is None:
            return
        if fresh:
            path.unlink(missing_ok=True)
        with contextlib.suppress(OSError, UnicodeDecodeError):
            for line in path.read_text("utf-8").splitlines():
                with contextlib.suppress(ValueError, TypeError, KeyError):
                    said = json.loads(line)
                    self._known[said["key"]] = said

    def get(self, key: str) -> Observation | None:
        """What was seen under this key."""
        said = self._known.get(key)
        if said is None:
            return None
        try:
            return Observation(str(said["line"]), str(said["died"]), False, tuple(said["asked"]), str(said["stderr"]))
        except (KeyError, TypeError):
            return None

    def hello(self) -> dict[str, Any] | None:
        """The greeting seen before."""
        said = self._known.get("hello")
        return said["said"] if said is not None and isinstance(said.get("said"), dict) else None

    def keep_hello(self, said: dict[str, Any]) -> None:
        """Keep the greeting."""
        self._append({"key": "hello", "said": said})

    def keep(self, key: str, seen: Observation) -> None:
        """Keep an observation."""
        if not seen.hung:
            self._append({"key": key, "line": seen.line, "died": seen.died, "asked": seen.asked, "stderr": seen.stderr})

    def _append(self, said: dict[str, Any]) -> None:
        self._known[said["key"]] = said
        if self._path is None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(said) + "\n")
