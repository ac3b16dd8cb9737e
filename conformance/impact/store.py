"""What was seen before, so that the same client is not asked the same thing again.

Observations are kept, not verdicts: a change of the rules needs no new measurement. A hang is never kept, it may be the
machine's. What is read again has to be what the protocol allows, as if it came just now; else it is measured anew.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from conformance.errors import ConfigError
from conformance.impact.protocol import Broken, read

_ASKED: Final = frozenset(("stream", "complete", "elsewhere", "further"))


@dataclass(frozen=True, slots=True)
class Observation:
    """What came of a case.

    Attributes:
        line: the adapter's line, steady; `""` if none came.
        died: how its process ended instead, `""` if it did not.
        hung: no line came in time, twice.
        asked: for each request the server got: its mode, `elsewhere` or `further`.
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

    Raises:
        ConfigError: it cannot be written; so do `keep` and `keep_hello`.
    """

    def __init__(self, path: Path | None, fresh: bool = False) -> None:
        self._path = path
        self._known: dict[str, dict[str, Any]] = {}
        if path is None:
            return
        if fresh:
            with _writing(path):
                path.unlink(missing_ok=True)
        with contextlib.suppress(OSError, UnicodeDecodeError):
            for line in path.read_text("utf-8").splitlines():
                with contextlib.suppress(ValueError, TypeError, KeyError, RecursionError):
                    said = json.loads(line)
                    self._known[said["key"]] = said

    def get(self, key: str, case: str) -> Observation | None:
        """What was seen under this key, if it is of this case."""
        said = self._known.get(key)
        if said is None:
            return None
        line, died, asked, stderr = (said.get(field) for field in ("line", "died", "asked", "stderr"))
        if not (
            isinstance(line, str) and isinstance(died, str) and isinstance(stderr, str) and bool(line) != bool(died)
        ):
            return None
        if not isinstance(asked, list) or not all(isinstance(one, str) and one in _ASKED for one in asked):
            return None
        if line:
            try:
                if read(line.encode("utf-8", "surrogatepass"), "outcome")["case"] != case:
                    return None
            except Broken:
                return None
        return Observation(line, died, False, tuple(asked), stderr)

    def hello(self, name: str) -> dict[str, Any] | None:
        """The greeting of the client of this name, seen before."""
        said = self._known.get("hello")
        try:
            hello = read(json.dumps(said["said"]).encode(), "hello") if said is not None else None
        except (Broken, KeyError, RecursionError):
            return None
        return hello if hello is not None and hello["name"] == name else None

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
        with _writing(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(said) + "\n")


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        why = problem.strerror or str(problem)
        raise ConfigError(f"{path}: cannot be written ({why}); choose another folder with --cache") from None
