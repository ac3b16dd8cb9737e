"""An isolated environment for each client, made once for each lock: uv for Python, npm for JavaScript.

    CACHE/<name>-<key>/.ready        Python: a virtual environment
    CACHE/<name>-<key>/<name>/…      JavaScript: copies of the folder and of `shared`, with node_modules

Building uses the user's settings (proxies, mirrors); adapters get none of them (`clean`).
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from conformance.errors import ConfigError, NotRun
from conformance.impact.children import Children
from conformance.impact.folders import Client, Runs
from conformance.impact.locks import Override, exchanged, pins
from conformance.text import visible

_PATIENCE: Final = 1800
"""Seconds that one installation may take."""
_KEPT: Final = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH")
"""Variables of the user that an adapter needs to start at all."""


@dataclass(frozen=True, slots=True)
class Ready:
    """What starts an adapter.

    Attributes:
        command: program and arguments.
        folder: where to run it.
        place: the environment; `folder` if there is none.
        key: changes with the interpreter and with everything installed; `""` if nobody knows what is behind `command`.
        nameless: whether it may greet with any name, because there is no client folder that has one.
        runs: who runs the tools.
        rebuild: what to remove for the environment to be built anew, `""` if none was built.
    """

    command: tuple[str, ...]
    folder: Path
    place: Path
    key: str
    nameless: bool = False
    runs: Runs = "user"
    rebuild: str = ""


def writable(cache: Path) -> None:
    """See that a folder for environments can be written, before anything is measured.

    Raises:
        ConfigError: it cannot.
    """
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=cache):
            pass
    except OSError as problem:
        why = problem.strerror or str(problem)
        raise ConfigError(f"--cache {cache}: cannot be written ({why}); choose another folder") from None


def clean(home: Path) -> dict[str, str]:
    """The variables of an adapter: no keys, no proxies, no settings of the user, a home folder of its own."""
    kept = {name: value for name, value in os.environ.items() if name in _KEPT}
    fixed = {"LANG": "C.UTF-8", "TZ": "UTC", "PYTHONUTF8": "1", "PYTHONHASHSEED": "0", "NO_COLOR": "1"}
    own = {name: str(home) for name in ("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TMPDIR")}
    return {**kept, **fixed, **own, "NO_PROXY": "*", "no_proxy": "*", "DO_NOT_TRACK": "1"}


def prepare(client: Client, cache: Path, children: Children, override: Override | None = None) -> Ready:
    """Make the environment of a client, unless it is there.

    Args:
        client: the client.
        cache: folder for environments.
        children: starts installers, and can end them.
        override: a distribution to install in another version than the lock's.

    Raises:
        NotRun: it cannot be had; one sentence says why.
        ConfigError: its lock cannot be read.
    """
    if client.kind == "command":
        ready = _program(client)
    elif client.kind == "python":
        ready = _python(client, cache, children, override)
    else:
        ready = _javascript(client, cache, children)
    return replace(ready, runs=client.runs)


def bare(text: str) -> Ready:
    """An adapter that is no client folder, run here.

    Args:
        text: program and arguments, as a shell reads words.

    Raises:
        ConfigError: it names no program.
        NotRun: the program is not there.
    """
    try:
        program, *arguments = shlex.split(text)
    except ValueError as problem:
        why = str(problem).lower() if text.strip() else "it is empty"
        raise ConfigError(f"{visible(text, 80)!r} is no command ({why}); give a program and its arguments") from None
    found = shutil.which(program)
    if found is None:
        raise NotRun("client", f"{visible(program, 80)} is not there; give a program that starts the adapter")
    return Ready((str(Path(found).absolute()), *arguments), Path.cwd(), Path.cwd(), "", nameless=True)


def _program(client: Client) -> Ready:
    program, *arguments = client.command
    found = shutil.which(program, path=os.pathsep.join((str(client.folder), os.environ.get("PATH", ""))))
    if found is None:
        raise NotRun("client", f"{client.name}: {visible(program, 80)} is not installed; install it, or change command")
    return Ready((found, *arguments), client.folder, client.folder, "")


def _python(client: Client, cache: Path, children: Children, override: Override | None) -> Ready:
    file = client.folder / "requirements.lock"
    lock = file.read_text("utf-8") if file.exists() else ""
    try:
        if not list(pins(lock)):  # standard library only: no site-packages of ours either
            key = _digest("stdlib", sys.version)
            return Ready((sys.executable, "-P", "-S", "adapter.py"), client.folder, client.folder, key)
        if override is not None:
            lock = exchanged(lock, override)
    except ConfigError as problem:
        raise ConfigError(f"{client.folder}: {problem}") from None
    key = _digest("python", sys.version, lock)
    place = cache / f"{client.name}-{key[:16]}"
    python = place / "bin" / "python"
    with _building(place) as missing:
        if missing:
            uv = _uv(client)
            shown = place / "requirements.txt"
            _install(client, children, [uv, "venv", "-q", "--python", sys.executable, str(place)])
            shown.write_text(lock, "utf-8")
            strict = [] if override is not None else ["--require-hashes"]
            install = [uv, "pip", "install", "-q", "--python", str(python), "--compile-bytecode", *strict]
            _install(client, children, [*install, "-r", str(shown)], override)
    command = (str(python), "-P", "-s", "adapter.py")
    return Ready(command, client.folder, place, key, rebuild=f"{client.name}-* in the folder of --cache")


def _javascript(client: Client, cache: Path, children: Children) -> Ready:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise NotRun("client", f"{client.name}: {'node' if node is None else 'npm'} is not installed; install Node.js")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    lock = client.folder / "package-lock.json"
    if not lock.is_file():
        raise ConfigError(f"{client.folder}: package-lock.json is missing; run npm install there")
    key = _digest("javascript", version, lock.read_text("utf-8"))
    place = cache / f"{client.name}-{key[:16]}"
    folder = place / client.name
    with _building(place) as missing:
        # Node looks for packages from where adapter.mjs stands, so that it has to stand beside node_modules
        _copied(client.folder, folder)
        _copied(client.shared, place / "shared")
        if missing:
            quiet = ("--no-audit", "--no-fund", "--loglevel=error")
            _install(client, children, [npm, "ci", "--ignore-scripts", *quiet], at=folder)
    return Ready((node, "adapter.mjs"), folder, place, key, rebuild=f"{client.name}-* in the folder of --cache")


def _copied(source: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for path in source.iterdir() if source.is_dir() else ():
        if path.is_file():
            shutil.copyfile(path, target / path.name)


@contextlib.contextmanager
def _building(place: Path) -> Iterator[bool]:
    """Hold the place; true if it has to be built. What was built by half is thrown away first."""
    ready = place / ".ready"
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.with_name(f"{place.name}.lock").open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            missing = not ready.exists()
            if missing:
                shutil.rmtree(place, ignore_errors=True)
            yield missing
            if missing:
                ready.touch()
    except OSError as problem:
        why = problem.strerror or str(problem)
        raise ConfigError(f"{place}: cannot be made ({why}); choose another folder with --cache") from None


def _uv(client: Client) -> str:
    with contextlib.suppress(ImportError, FileNotFoundError):
        from uv import find_uv_bin

        return str(find_uv_bin())
    found = shutil.which("uv")
    if found is None:
        raise NotRun("client", f"{client.name}: uv is not installed; run 'pip install uv', it makes the environments")
    return found


def _install(
    client: Client,
    children: Children,
    command: Sequence[str],
    override: Override | None = None,
    at: Path | None = None,
) -> None:
    """Run an installer; whatever it says goes into one sentence."""
    tool = Path(command[0]).name
    try:
        code, stderr = children.run(command, at, _PATIENCE)
    except TimeoutError:
        raise NotRun("client", f"{client.name}: {tool} took longer than {_PATIENCE // 60} minutes") from None
    if code == 0:
        return
    said = stderr.decode("utf-8", "replace")
    said = re.sub(r"https?://[^\s`'\")]+", "the registry", said)
    why = visible(" ".join(line.strip(" ╰─▶│×") for line in said.splitlines() if line.strip()), 400)
    if override is not None and "unsatisfiable" in said:
        raise NotRun("client", f"{client.name}: {override} does not go with the rest of the lock: {why}")
    raise NotRun("client", f"{client.name}: {tool} could not install it: {why or f'exit code {code}'}")


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
