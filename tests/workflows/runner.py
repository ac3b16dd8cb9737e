"""Runs a workflow: its shell steps as they are, in clones of a repository; of the actions it uses, what they do."""

from __future__ import annotations

import fnmatch
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from tests.actions.steps import filled, run
from tests.workflows.expressions import evaluate, holds

ROOT: Final = Path(__file__).parents[2]
BRANCH: Final = "trunk"
"""The default branch; not every repository calls it main."""
INSTALL: Final = "tools/nightly/install.sh"


@dataclass
class JobRun:
    """How a job ended.

    Attributes:
        result: `success`, `failure` or `skipped`, as GitHub calls it.
        outputs: of the job.
        log: everything that its steps printed.
        summary: of all its steps.
        secrets: names of the secrets that its steps were given.
    """

    result: str = "success"
    outputs: dict[str, str] = field(default_factory=dict)
    log: str = ""
    summary: str = ""
    secrets: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Settings:
    """What a repository knows that stands in no file.

    Attributes:
        variables: of the repository.
        secrets: by the name of the environment they belong to.
        machine: environment variables that every step has, beside those of a runner.
    """

    variables: Mapping[str, str]
    secrets: Mapping[str, Mapping[str, str]]
    machine: Mapping[str, str]


class Run:
    """One run of a workflow.

    Args:
        remote: the bare repository.
        folder: an empty one, for what lasts a run.
        file: the workflow, relative to the repository.
        settings: of the repository.

    Attributes:
        jobs: by id; those of a matrix are `id (name)`, and `id` is all of them.
        artifacts: the folder of what was uploaded, by name.
        published: the folder that went to Pages; None if nothing did.
    """

    def __init__(self, remote: Path, folder: Path, file: str, settings: Settings) -> None:
        self._remote, self._folder, self._settings = remote, folder, settings
        self.about: dict[str, Any] = yaml.safe_load(git(remote, "show", f"{BRANCH}:{file}"))
        self.jobs: dict[str, JobRun] = {}
        self.artifacts = folder / "artifacts"
        self.published: Path | None = None
        for name, job in self.about["jobs"].items():
            self._job(name, job)

    @property
    def green(self) -> bool:
        """Whether GitHub would show a green tick."""
        return all(job.result != "failure" for job in self.jobs.values())

    @property
    def log(self) -> str:
        """Everything that was printed."""
        return "".join(job.log for job in self.jobs.values())

    def _job(self, name: str, job: Mapping[str, Any]) -> None:
        needs = [job["needs"]] if isinstance(job.get("needs"), str) else job.get("needs", [])
        before = {need: self.jobs[need] for need in needs}
        context = _Context(self._settings, before, {}, "")
        if not holds(job.get("if"), all(one.result == "success" for one in before.values()), context.value_of):
            self.jobs[name] = JobRun("skipped")
            return
        entries: list[dict[str, Any]] = [{}]
        for key, values in job.get("strategy", {}).get("matrix", {}).items():
            entries = [{key: one} for one in evaluate(values.removeprefix("${{").removesuffix("}}"), context.value_of)]
        runs = []
        for matrix in entries:
            context = _Context(self._settings, before, matrix, "")
            environment = job.get("environment", "")
            context.environment = context.filled(environment if isinstance(environment, str) else environment["name"])
            runs.append(self._play(name, job, context))
            if matrix:
                self.jobs[f"{name} ({context.filled(job['name'])})"] = runs[-1]
        worst = "failure" if any(one.result == "failure" for one in runs) else "success"
        self.jobs[name] = JobRun(worst, runs[-1].outputs) if entries != [{}] else runs[0]

    def _play(self, name: str, job: Mapping[str, Any], context: _Context) -> JobRun:
        done = JobRun(secrets=context.given)
        place = self._folder / f"{name}-{len(self.jobs)}"
        workspace, temporary = place / "workspace", place / "temporary"
        workspace.mkdir(parents=True)
        temporary.mkdir()
        for step in job["steps"]:
            if not holds(step.get("if"), done.result == "success", context.value_of):
                continue
            if "uses" in step:
                self._use(step, workspace, context)
            elif step["run"] == INSTALL:
                install(workspace)
            else:
                environment = {**self._settings.machine}
                for level in (self.about, job, step):
                    environment |= {key: context.filled(value) for key, value in level.get("env", {}).items()}
                ran = run(step["run"], workspace, temporary, environment)
                context.steps |= {f"steps.{step.get('id')}.outputs.{key}": text for key, text in ran.outputs.items()}
                done.log += ran.log
                done.summary += ran.summary
                if ran.code:
                    done.result = "failure"
        done.outputs = {key: context.filled(value) for key, value in job.get("outputs", {}).items()}
        return done

    def _use(self, step: Mapping[str, Any], workspace: Path, context: _Context) -> None:
        given = {key: context.filled(value) for key, value in step.get("with", {}).items()}
        match step["uses"].partition("@")[0]:
            case "actions/checkout":
                assert given["persist-credentials"] == "False"
                depth = [] if given.get("fetch-depth") == "0" else ["--depth", "1"]
                git(workspace, "clone", "--quiet", *depth, f"file://{self._remote}", ".")
            case "actions/upload-artifact":
                if (source := workspace / given["path"]).is_dir():
                    shutil.copytree(source, self.artifacts / given["name"])
                else:
                    assert given["if-no-files-found"] == "ignore"
            case "actions/download-artifact":
                names = [one.name for one in self.artifacts.iterdir()]
                found = fnmatch.filter(names, given.get("pattern", given.get("name", "")))
                assert found or "pattern" in given
                for one in found:
                    shutil.copytree(self.artifacts / one, workspace / given["path"], dirs_exist_ok=True)
            case "actions/upload-pages-artifact":
                shutil.copytree(workspace / given["path"], self.artifacts / "github-pages")
            case "actions/deploy-pages":
                self.published = self.artifacts / "github-pages"
            case "actions/setup-python":
                pass
            case other:
                raise AssertionError(f"what {other} does is not known here")


class _Context:
    """What expressions can name."""

    def __init__(
        self, settings: Settings, before: Mapping[str, JobRun], matrix: Mapping[str, Any], environment: str
    ) -> None:
        self._settings, self._before, self._matrix = settings, before, matrix
        self.environment = environment
        self.steps: dict[str, str] = {}
        self.given: set[str] = set()

    def filled(self, text: Any) -> str:
        """A value of the file, with its expressions evaluated."""
        return filled(str(text), lambda expression: _text(evaluate(expression, self.value_of)))

    def value_of(self, name: str) -> Any:
        """The value of a name; empty where GitHub has nothing under it.

        Raises:
            KeyError: a context that is not known here, a job that is not needed.
        """
        context, _, rest = name.partition(".")
        match context:
            case "steps":
                return self.steps.get(name, "")
            case "vars":
                return self._settings.variables.get(rest, "")
            case "secrets":
                self.given.add(f"{self.environment}.{rest}")
                return self._settings.secrets.get(self.environment, {}).get(rest, "")
            case "matrix":
                found: Any = self._matrix
                for step in rest.split("."):
                    found = found[step]
                return found
            case "needs":
                job, what, *more = rest.split(".")
                return self._before[job].result if what == "result" else self._before[job].outputs.get(more[0], "")
            case "github":
                return _GITHUB[rest]
        raise KeyError(name)


_GITHUB: Final = {
    "event_name": "workflow_dispatch",
    "event.repository.default_branch": BRANCH,
    "ref_name": BRANCH,
    "repository": "acme/tool-calling",
    "run_id": "7",
    "server_url": "https://github.com",
    "token": "made-up-token",
}


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


SCENARIOS: Final = ("single_call", "parallel_calls", "no_call", "round_trip")
"""Nights are about what becomes of answers: what all scenarios ask is for other tests."""


def install(workspace: Path) -> None:
    """What `install.sh` leaves, without downloading anything, and with few scenarios."""
    binaries, packages = workspace / ".venv" / "bin", workspace / ".venv" / "packages"
    binaries.mkdir(parents=True)
    _link(ROOT / "conformance", packages / "conformance", lambda name: name != "scenarios")
    helpers = ("__init__", "registry", "request", "history", "link")
    wanted = {f"{name}.py" for name in (*SCENARIOS, *helpers)}
    _link(ROOT / "conformance" / "scenarios", packages / "conformance" / "scenarios", wanted.__contains__)
    for name, rest in (("conformance", "-P -m conformance "), ("python", "")):
        path = binaries / name
        path.write_text(f'#!/bin/sh\nPYTHONPATH="{packages}" exec "{sys.executable}" {rest}"$@"\n')
        path.chmod(0o755)


def _link(source: Path, target: Path, wanted: Callable[[str], bool]) -> None:
    """A folder that holds links to the wanted entries of another."""
    target.mkdir(parents=True)
    for entry in source.iterdir():
        if wanted(entry.name):
            (target / entry.name).symlink_to(entry)


def git(folder: Path, *arguments: str) -> str:
    """What git prints."""
    identity = ("-c", "user.name=A Maintainer", "-c", "user.email=maintainer@example.org")
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, env={**os.environ, **GIT}, check=True, stdout=subprocess.PIPE
    )
    return done.stdout.decode()


GIT: Final = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
"""No settings of whoever runs the tests."""
