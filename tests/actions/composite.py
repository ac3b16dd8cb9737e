"""Runs the shell steps of a composite action as the runner does: the same shell, the same files, the same environment.

Actions that others publish (`uses`) are not run; what they would put out is given.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

SHELL: Final = ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail")
_EXPRESSION: Final = re.compile(r"\$\{\{\s*(.+?)\s*\}\}")


@dataclass(frozen=True)
class Done:
    """How an action ended.

    Attributes:
        code: of the step that failed, or 0.
        log: everything that was printed.
        outputs: of the action.
        summary: the step summary.
    """

    code: int
    log: str
    outputs: dict[str, str]
    summary: str


class Action:
    """An `action.yml`.

    Args:
        folder: the action's own.
        workspace: the folder of the repository that uses it, which has to be empty or a checkout.
        temporary: the runner's folder for what lasts a job.
    """

    def __init__(self, folder: Path, workspace: Path, temporary: Path) -> None:
        self.about: dict[str, Any] = yaml.safe_load((folder / "action.yml").read_text(encoding="utf-8"))
        self._folder = folder
        self._workspace = workspace
        self._temporary = temporary

    @property
    def steps(self) -> list[dict[str, Any]]:
        """Its steps."""
        steps: list[dict[str, Any]] = self.about["runs"]["steps"]
        return steps

    def run(self, given: Mapping[str, str], put_out: Mapping[str, str], *, only: str | None = None) -> Done:
        """Run the shell steps until one fails.

        Args:
            given: inputs; the others have their defaults.
            put_out: outputs of steps, `steps.ID.outputs.NAME`, of what is not run.
            only: the id or name of the one step to run.
        """
        known = {name: str(one.get("default", "")) for name, one in self.about["inputs"].items()}
        assert set(given) <= set(known)
        values = {f"inputs.{name}": value for name, value in {**known, **given}.items()} | dict(put_out)
        code, log, summary = 0, "", ""
        for step in self.steps:
            if "run" in step and not code and only in (None, step.get("id"), step.get("name")):
                code, said, summary = self._step(step, values)
                log += said
        outputs = {name: _filled(one["value"], values) for name, one in self.about["outputs"].items()}
        return Done(code, log, outputs, summary)

    def _step(self, step: Mapping[str, Any], values: dict[str, str]) -> tuple[int, str, str]:
        assert step["shell"] == "bash"
        files = {name: self._temporary / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for path in files.values():
            path.write_text("")
        script = self._temporary / "script.sh"
        script.write_text(step["run"], encoding="utf-8")
        environment = {
            **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
            "GITHUB_ACTIONS": "true",
            "CI": "true",
            "RUNNER_OS": "Linux",
            "RUNNER_TEMP": str(self._temporary),
            "GITHUB_WORKSPACE": str(self._workspace),
            "GITHUB_ACTION_PATH": str(self._folder),
            **{name: str(path) for name, path in files.items()},
            **{name: _filled(value, values) for name, value in step.get("env", {}).items()},
        }
        done = subprocess.run(
            [*SHELL, str(script)],
            cwd=self._workspace,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        for name, value in _read(files["GITHUB_OUTPUT"].read_text()).items():
            values[f"steps.{step.get('id')}.outputs.{name}"] = value
        return done.returncode, done.stdout.decode(), files["GITHUB_STEP_SUMMARY"].read_text()


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _EXPRESSION.sub(lambda found: values.get(found[1], ""), str(text))


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
