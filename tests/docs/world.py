"""The folder in which the blocks of one page are run, with made-up endpoints and an environment of its own."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from conformance.faults import find
from conformance.faults.server import FaultServer
from tests.docs.blocks import ROOT, Block, Wrong
from tests.docs.files import FILES

SECONDS: Final = 180
"""A guard against what hangs, not a bound on how long anything may take."""
_PORTS: Final = re.compile(r"\b(?:8808|8809)\b")
"""Where `serve` and `tap` listen unless told otherwise; a free port stands in for both."""
_KEY: Final = "made-up-key-of-the-pages"


class World:
    """Where a page is run.

    Args:
        folder: an empty folder; it becomes a copy of what pages take for granted of the repository.

    Attributes:
        printed: what the last commands printed, standard error included.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.printed = ""
        self._servers = contextlib.ExitStack()
        self._addresses: dict[str, str] = {}
        self._put: set[str] = set()
        self._status = 0
        self._port = _free_port()
        self._shown = "8808"
        self._groups: list[int] = []
        self._background: subprocess.Popen[bytes] | None = None
        self._variables = _environment(folder)
        shutil.copy(ROOT / "providers.yaml", folder)
        shutil.copytree(ROOT / "cassettes", folder / "cassettes")
        programs = folder / ".venv" / "bin"
        programs.mkdir(parents=True)
        for name in ("conformance", "pytest", "python"):
            # no links: a Python that is started by another path does not find its packages
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec "{Path(sys.executable).parent / name}" "$@"\n', encoding="utf-8")
            program.chmod(0o755)

    def prepare(self, block: Block) -> None:
        """Do what the comments so far ask for."""
        for name, value in block.lasting.items():
            if name.startswith("http"):
                self._answer(name, value)
            elif name == "put":
                for file in set(value.split(",")) - self._put:
                    FILES[file](self.folder)
                    self._put.add(file)
                    if file == "checkout":
                        self._variables["PYTHONPATH"] = str(self.folder)
            else:
                self._variables[value] = _KEY

    def _answer(self, address: str, fault: str) -> None:
        """Let an address be answered here, in `providers.yaml` too; its path stays, for cassettes are found by it."""
        providers = self.folder / "providers.yaml"
        text = self.there(providers.read_text(encoding="utf-8"))
        server = self._servers.enter_context(FaultServer(None if fault == "honest" else find(fault)))
        self._addresses[address] = f"http://127.0.0.1:{server.port}{urlsplit(address).path}"
        providers.write_text(self.here(text), encoding="utf-8")

    def here(self, text: str) -> str:
        """The text of a page with the addresses that answer here."""
        for address in sorted(self._addresses, key=len, reverse=True):
            text = text.replace(address, self._addresses[address])
        return _PORTS.sub(str(self._port), text)

    def there(self, text: str) -> str:
        """What was printed here, with the addresses of the page."""
        for address, mine in self._addresses.items():
            text = text.replace(mine, address)
        return text.replace(f"{self.folder}/", "").replace(f"127.0.0.1:{self._port}", f"127.0.0.1:{self._shown}")

    def _closed(self, text: str) -> str:
        """The text of a command with the addresses that answer here, and no other.

        Raises:
            Wrong: an address in it that the page does not say an answer for.
        """
        text = self.here(text)
        mine = (*self._addresses.values(), f"http://127.0.0.1:{self._port}")
        for address in re.findall(r"https?://[^\s'\"]+", text):
            if not address.startswith(mine):
                raise Wrong(f"nobody answers {address}; say who does in a comment above the block")
        return text

    def python(self, program: str) -> int:
        """Run a Python program; see `run`."""
        (self.folder / "block.py").write_text(self._closed(program), encoding="utf-8")
        return self.run("python block.py")

    def run(self, command: str) -> int:
        """Run a command as a shell would run the next line; variables that it exports stay.

        Raises:
            Wrong: it does not come to an end.
        """
        # ". ./.variables" and "(exit N)": each command is a bash of its own, and yet `export` and `$?` work across them
        before = f". ./.variables 2> /dev/null\n(exit {self._status})"
        code = f"{before}\n{self._closed(command)}\ncode=$?\nexport -p > .variables\nexit $code"
        with subprocess.Popen(
            ["bash", "-c", code],
            cwd=self.folder,
            env=self._variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process:
            try:
                printed, _ = process.communicate(timeout=SECONDS)
            except subprocess.TimeoutExpired:
                _end(process.pid, signal.SIGKILL)
                raise Wrong(f"{command!r} did not end within {SECONDS} s") from None
            if _lives(process.pid):
                self._groups.append(process.pid)
        self._status = process.returncode
        self.printed = self.there(printed.decode("utf-8", "replace"))
        return process.returncode

    def start(self, command: str) -> None:
        """Start a server and wait until it says where it listens.

        Raises:
            Wrong: it ends, or says nothing.
        """
        self.stop()
        self._shown = "8809" if "conformance tap" in command else "8808"
        log = self.folder / ".background"
        text = command if "--port" in command else re.sub(r"\s*(#.*)?$", f" --port {self._port}", command, count=1)
        with log.open("wb") as out:
            self._background = subprocess.Popen(
                ["bash", "-c", f"exec {self._closed(text)}"],
                cwd=self.folder,
                env=self._variables,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        until = time.monotonic() + SECONDS
        while f":{self._port}" not in log.read_text("utf-8"):
            if self._background.poll() is not None or time.monotonic() > until:
                raise Wrong(f"{command!r} does not serve: {log.read_text('utf-8')}")
            time.sleep(0.05)

    def stop(self) -> str:
        """Interrupt the program in the background, if one runs.

        Returns:
            All it printed.
        """
        if self._background is None:
            return ""
        self._background.send_signal(signal.SIGINT)
        try:
            self._background.wait(SECONDS)
        except subprocess.TimeoutExpired:
            _end(self._background.pid, signal.SIGKILL)
            raise Wrong("the program in the background does not end at Ctrl-C") from None
        self._background = None
        return self.there((self.folder / ".background").read_text("utf-8"))

    def close(self) -> None:
        """End whatever still runs."""
        try:
            self.stop()
        finally:
            for group in self._groups:
                _end(group, signal.SIGTERM)
            self._servers.close()


def _lives(group: int) -> bool:
    """Whether something that a command left behind still runs."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def _end(group: int, how: signal.Signals) -> None:
    """Signal a process group of ours, if there is anything left of it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, how)


def _environment(folder: Path) -> dict[str, str]:
    """A newcomer's: the programs, and no variable that changes what they print."""
    programs = f"{folder / '.venv' / 'bin'}:{Path(sys.executable).parent}"
    return {
        "PATH": f"{programs}:{os.environ.get('PATH', os.defpath)}",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "COLUMNS": "100",
        "PYTHONDONTWRITEBYTECODE": "1",
        # whatever a page asks for by mistake, nothing leaves this machine
        "http_proxy": "http://127.0.0.1:9",
        "https_proxy": "http://127.0.0.1:9",
        "no_proxy": "127.0.0.1,localhost",
    }


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
