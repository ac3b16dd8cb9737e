"""`.pre-commit-hooks.yaml`, with pre-commit itself.

The hook is put into a repository as a local one that finds `conformance` on the path: what pre-commit would install for
it has to be downloaded.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
import yaml

ROOT: Final = Path(__file__).resolve().parents[2]
HOOKS: Final = ROOT / ".pre-commit-hooks.yaml"
GOOD: Final = "providers:\n  acme: {base_url: 'https://acme.example/v1', models: [m]}\n"
BAD: Final = "providers:\n  acme: {base_ur: 'https://acme.example/v1', models: [m]}\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository of somebody who has set the hook up."""
    (hook,) = yaml.safe_load(HOOKS.read_text())
    local = {"repo": "local", "hooks": [{**hook, "language": "system"}]}
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / ".pre-commit-config.yaml").write_text(json.dumps({"repos": [local]}))
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "conformance"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m conformance "$@"\n')
    program.chmod(0o755)
    _call(folder, "git", "init", "--quiet")
    return folder


def _call(folder: Path, *line: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        "PATH": f"{folder.parent / 'bin'}:{os.environ['PATH']}",
        "PRE_COMMIT_HOME": str(folder.parent / "pre-commit"),
        "PYTHONPATH": str(ROOT),
    }
    return subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def check(folder: Path, **files: str) -> tuple[int, str]:
    """What pre-commit says of these files, `__` in a name standing for `/` and `_` for `.`."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    _call(folder, "git", "add", ".")
    done = _call(folder, sys.executable, "-m", "pre_commit", "run")
    return done.returncode, done.stdout


def test_the_manifest_is_one() -> None:
    done = subprocess.run([sys.executable, "-m", "pre_commit", "validate-manifest", str(HOOKS)], check=False)
    assert done.returncode == 0


def test_a_mistake_stops_the_commit_and_is_told_with_its_line(repository: Path) -> None:
    code, said = check(repository, providers_yaml=BAD, sub__providers_yml=GOOD)
    assert code == 1
    assert "providers.yaml:2: providers.acme.base_ur: unknown key; did you mean 'base_url'?" in said
    assert "sub/providers.yml: 1 provider, 0 expectations, nothing wrong" in said


def test_without_a_mistake_it_passes(repository: Path) -> None:
    code, said = check(repository, providers_yaml=GOOD)
    assert (code, said.rstrip().endswith("Passed")) == (0, True), said


def test_other_files_are_left_alone(repository: Path) -> None:
    code, said = check(repository, other__my_yaml="x: [", providers_yaml_txt=BAD)
    assert (code, "Skipped" in said) == (0, True), said
