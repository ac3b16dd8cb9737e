"""A repository with the nightly workflow, two providers that make their answers up, and night after night."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from conformance.faults import FAULTS
from conformance.faults.server import FaultServer
from tests.workflows.runner import BRANCH, GIT, ROOT, Run, Settings, git

KEYS: Final = {"acme": "Zq8vWm3nXb7LkT2hRf5yPd", "tides": "cJ4sG6aVr9wQe1uYt0oIp2"}
DOWN: Final = "down"
_PROVIDER: Final = """\
  {name}:
    base_url: ${{{upper}_URL:-https://api.{name}.example/v1}}
    models: [made-up-1]
    api_key_env: {upper}_API_KEY
    source: [{{url: "https://docs.{name}.example/chat", date: 2026-11-30}}]
"""
PROVIDERS: Final = "providers:\n" + "".join(_PROVIDER.format(name=name, upper=name.upper()) for name in KEYS)


class Nights:
    """The repository.

    Args:
        folder: an empty one.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.remote = folder / "remote.git"
        self.clone = folder / "clone"
        self._gh = folder / "gh.json"
        self._ports = {name: _free_port() for name in KEYS}
        self.runs: list[Run] = []
        git(folder, "init", "--quiet", "--bare", f"--initial-branch={BRANCH}", str(self.remote))
        git(folder, "init", "--quiet", f"--initial-branch={BRANCH}", str(self.clone))
        git(self.clone, "remote", "add", "origin", f"file://{self.remote}")
        for name in (".github/workflows/nightly.yml", ".gitignore", ".gitattributes"):
            (self.clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.clone / name)
        shutil.copytree(ROOT / "tools/nightly", self.clone / "tools/nightly", ignore=lambda *_: ["__pycache__"])
        self.commit("providers.yaml", PROVIDERS)
        binaries = folder / "bin"
        binaries.mkdir()
        (binaries / "gh").write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__).parent}/fake_gh.py" "$@"\n')
        (binaries / "gh").chmod(0o755)
        self.machine = {
            "PATH": f"{binaries}:{os.environ['PATH']}",
            "HOME": str(folder),
            "FAKE_GH": str(self._gh),
            **GIT,
        }
        self.machine |= {f"{name.upper()}_URL": f"http://127.0.0.1:{port}/v1" for name, port in self._ports.items()}

    @property
    def github(self) -> dict[str, Any]:
        """Issues and pull requests."""
        found: dict[str, Any] = json.loads(self._gh.read_text()) if self._gh.exists() else {"issues": [], "pulls": []}
        return found

    def serving(self, faults: Mapping[str, str]) -> ExitStack:
        """Both providers, as a context: honest ones, those with a fault, and those that are down."""
        stack = ExitStack()
        for name, port in self._ports.items():
            if (fault := faults.get(name)) != DOWN:
                stack.enter_context(FaultServer(FAULTS[fault] if fault is not None else None, port))
        return stack

    def night(self, keys: Mapping[str, str] = KEYS, variables: Mapping[str, str] = {}, **faults: str) -> Run:
        """One run of the workflow."""
        secrets = {f"provider-{name}": {"API_KEY": key} for name, key in keys.items()}
        known = {"NIGHTLY_SAMPLES": "1", "NIGHTLY_PAGES": "true", **variables}
        with self.serving(faults):
            folder = self.folder / f"night-{len(self.runs)}"
            settings = Settings(known, secrets, self.machine)
            self.runs.append(Run(self.remote, folder, ".github/workflows/nightly.yml", settings))
        return self.runs[-1]

    def commit(self, path: str, text: str) -> None:
        """Change a file on the default branch."""
        (self.clone / path).write_text(text, encoding="utf-8")
        git(self.clone, "add", "--all")
        git(self.clone, "commit", "--quiet", "--message", f"Change {path}")
        git(self.clone, "push", "--quiet", "origin", BRANCH)

    def in_request(self, path: str, change: Callable[[str], str]) -> None:
        """Change a file in the pull request that is open."""
        git(self.clone, "fetch", "--quiet", "origin")
        git(self.clone, "switch", "--quiet", "--force-create", "request", "origin/nightly/recordings")
        (self.clone / path).write_text(change((self.clone / path).read_text(encoding="utf-8")), encoding="utf-8")
        git(self.clone, "commit", "--quiet", "--all", "--message", f"Change {path}")
        git(self.clone, "push", "--quiet", "origin", "HEAD:nightly/recordings")
        git(self.clone, "switch", "--quiet", BRANCH)

    def accept(self) -> None:
        """Merge the pull request that is open."""
        git(self.clone, "fetch", "--quiet", "origin")
        git(self.clone, "merge", "--quiet", "--no-edit", "origin/nightly/recordings")
        git(self.clone, "push", "--quiet", "origin", BRANCH, ":nightly/recordings")
        state = self.github
        for pull in state["pulls"]:
            pull["open"] = False
        self._gh.write_text(json.dumps(state))


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
