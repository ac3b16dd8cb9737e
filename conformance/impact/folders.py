"""Client folders: what there is, and how each is started.

`client.yaml` names the client; beside it stands what drives it: `adapter.py` with `requirements.lock`, `adapter.mjs`
with `package.json` and `package-lock.json`, or the program that `command` names.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, cast

import yaml

from conformance.errors import ConfigError, SelectionError
from conformance.text import visible

Kind = Literal["python", "javascript", "command"]
Runs = Literal["user", "library"]
"""Who runs the tools: the user, who is handed calls, or the library itself, which calls the functions it was given."""

BUNDLED: Final = Path(__file__).parents[1] / "clients"
"""The clients that come with the package."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_TEXTS: Final = ("title", "language", "package", "home", "drives")
_RUNS: Final = ("user", "library")
_NOT_SOURCE: Final = frozenset(("node_modules", "__pycache__"))


@dataclass(frozen=True, slots=True)
class Client:
    """One client folder.

    Attributes:
        name: of the folder.
        folder: where it is.
        kind: how it is started.
        title, language, package, home, drives: from `client.yaml`; `drives` is which API, one phrase.
        command: the program and its arguments, run in the folder; empty for Python and JavaScript.
        runs: who runs the tools.
    """

    name: str
    folder: Path
    kind: Kind
    title: str
    language: str
    package: str
    home: str
    drives: str
    command: tuple[str, ...] = ()
    runs: Runs = "user"

    @property
    def shared(self) -> Path:
        """The folder of what adapters have in common; it need not be there."""
        return self.folder.parent / "shared"

    @property
    def digest(self) -> str:
        """Changes with any file of the adapter, its lock, or what adapters share."""
        found = hashlib.sha256()
        for root in (self.folder, self.shared):
            for path in sorted(p for p in root.rglob("*") if p.is_file()):
                if _NOT_SOURCE.isdisjoint(path.relative_to(root).parts):
                    found.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes() + b"\0")
        return found.hexdigest()


def load(folder: Path) -> Client:
    """Read a client folder.

    Raises:
        ConfigError: it is no client folder, or `client.yaml` is wrong; every problem is one sentence.
    """
    folder = folder.resolve()
    file = folder / "client.yaml"
    try:
        said = yaml.safe_load(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as problem:
        reason = getattr(problem, "strerror", None) or visible(str(problem), 200)
        raise ConfigError(f"{file}: cannot be read ({reason}); a client folder holds a client.yaml") from None
    if not isinstance(said, dict):
        raise ConfigError(f"{file}: it is no mapping; say name, {', '.join(_TEXTS)}")
    problems = list(_problems(said, folder))
    kind = _kind(folder, said)
    if kind is None:
        problems.append("nothing to start is there: add adapter.py, adapter.mjs or a command")
    if problems or kind is None:
        raise ConfigError(*(f"{file}: {problem}" for problem in problems))
    texts = {key: str(said[key]) for key in _TEXTS}
    command, runs = tuple(said.get("command") or ()), cast("Runs", said.get("runs", "user"))
    return Client(name=folder.name, folder=folder, kind=kind, command=command, runs=runs, **texts)


def discover(root: Path) -> list[Client]:
    """All client folders of a folder, in order of their names.

    Raises:
        ConfigError: one of them is wrong, or the folder cannot be listed.
    """
    try:
        found = sorted(path for path in root.iterdir() if (path / "client.yaml").is_file())
    except OSError as problem:
        raise ConfigError(f"{root}: cannot be listed ({problem.strerror}); name a folder of client folders") from None
    return [load(folder) for folder in found]


def select(root: Path, names: Sequence[str]) -> list[Client]:
    """The clients named, in the order of the folder; all if none is named. A path to a folder is a name as well.

    Raises:
        ConfigError: there is no such client.
        SelectionError: the folder holds no clients.
    """
    outside = [load(Path(name)) for name in names if "/" in name or name in (".", "..")]
    inside = [name for name in names if "/" not in name and name not in (".", "..")]
    every = discover(root) if inside or not names else []
    known = [client.name for client in every]
    for name in inside:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]}?" if near else "see 'conformance clients list'; a path has a '/' in it"
            raise ConfigError(f"--client {name}: there is no such client; {hint}")
    chosen = [client for client in every if not names or client.name in inside] + outside
    if not chosen:
        raise SelectionError(f"{root}: there is no client folder in it; a client folder holds a client.yaml")
    twice = sorted({c.name for c in chosen if [other.name for other in chosen].count(c.name) > 1})
    if twice:
        raise ConfigError(f"--client {twice[0]}: two folders have this name; rename one")
    return chosen


def _kind(folder: Path, said: dict[Any, Any]) -> Kind | None:
    if said.get("command"):
        return "command"
    if (folder / "adapter.py").is_file():
        return "python"
    return "javascript" if (folder / "adapter.mjs").is_file() else None


def _problems(said: dict[Any, Any], folder: Path) -> Iterable[str]:
    if not _NAME.fullmatch(folder.name):
        yield f"the folder's name {visible(folder.name, 60)!r} has to be lower-case letters, digits and hyphens"
    if said.get("name") != folder.name:
        yield f"name has to be that of the folder, {visible(folder.name, 60)}"
    for key in _TEXTS:
        value = said.get(key)
        if not isinstance(value, str) or (not value and key != "package"):
            yield f"{key} is missing, or no text"
    for key in said.keys() - {"name", "command", "runs", *_TEXTS}:
        yield f"{visible(str(key), 40)} is no key; keys are name, {', '.join(_TEXTS)}, command and runs"
    if said.get("runs", "user") not in _RUNS:
        yield f"runs has to be {' or '.join(_RUNS)}: who runs the tools"
    command = said.get("command")
    if command is not None and not (isinstance(command, list) and command and all(isinstance(c, str) for c in command)):
        yield "command has to be a list of words: the program and its arguments"
