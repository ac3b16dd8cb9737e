"""Runs the shell steps of a composite action.

Actions that others publish (`uses`) are not run; what they would put out is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.actions.steps import filled, run


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
        environment = {"GITHUB_ACTION_PATH": str(self._folder)}
        environment |= {name: _filled(value, values) for name, value in step.get("env", {}).items()}
        done = run(step["run"], self._workspace, self._temporary, environment)
        for name, value in done.outputs.items():
            values[f"steps.{step.get('id')}.outputs.{name}"] = value
        return done.code, done.log, done.summary


def _filled(text: str, values: Mapping[str, str]) -> str:
    return filled(text, lambda name: values.get(name, ""))
