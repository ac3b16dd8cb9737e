"""Runs a shell step as the runner of GitHub Actions does: the same shell, the same files, the same environment."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SHELL: Final = ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail")
_EXPRESSION: Final = re.compile(r"\$\{\{\s*(.+?)\s*\}\}")


@dataclass(frozen=True)
class Ran:
    """How a step ended: its exit code, all it printed, its outputs, and what it added to the step summary."""

    code: int
    log: str
    outputs: dict[str, str]
    summary: str


def run(script: str, workspace: Path, temporary: Path, environment: Mapping[str, str]) -> Ran:
    """Run a step.

    Args:
        script: as in `run:`; expressions in it are not looked at.
        workspace: the folder of the repository, in which it runs.
        temporary: the runner's folder for what lasts a job.
        environment: of the step, beside what every step has.
    """
    files = {name: temporary / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for path in files.values():
        path.write_text("")
    file = temporary / "script.sh"
    file.write_text(script, encoding="utf-8")
    done = subprocess.run(
        [*SHELL, str(file)],
        cwd=workspace,
        env={
            **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
            "GITHUB_ACTIONS": "true",
            "CI": "true",
            "RUNNER_OS": "Linux",
            "RUNNER_TEMP": str(temporary),
            "GITHUB_WORKSPACE": str(workspace),
            **{name: str(path) for name, path in files.items()},
            **environment,
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    outputs = _read(files["GITHUB_OUTPUT"].read_text())
    return Ran(done.returncode, done.stdout.decode(), outputs, files["GITHUB_STEP_SUMMARY"].read_text())


def filled(text: str, value_of: Callable[[str], str]) -> str:
    """A text with the values of its `${{ … }}` in it."""
    return _EXPRESSION.sub(lambda found: value_of(found[1]), str(text))


def _read(text: str) -> dict[str, str]:
    """The outputs in a file: `name=value`, or `name<<end`, lines, `end`."""
    found: dict[str, str] = {}
    lines = iter(text.splitlines())
    for line in lines:
        name, equals, value = line.partition("=")
        if "<<" in name or not equals:
            name, _, end = line.partition("<<")
            value = "\n".join(iter(lambda: next(lines), end))
        found[name] = value
    return found
