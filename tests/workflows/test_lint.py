"""Workflows and scripts: actionlint, zizmor and shellcheck find nothing; and what those do not see."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from conformance.providers.load import load
from tests.workflows.runner import ROOT

WORKFLOWS: Final = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FILES: Final = [*WORKFLOWS, ROOT / "action.yml"]
SCRIPTS: Final = sorted([*(ROOT / "tools").rglob("*.sh"), ROOT / ".ci" / "run"])

each = pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)


def program(name: str) -> str:
    """Where a program is: beside Python, or on the path.

    It is a dependency of development, or a package of Debian; without it the test is skipped, but never in CI.
    """
    found = shutil.which(name, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail(f"{name} is not installed")
        pytest.skip(f"{name} is not installed")
    return found


def said(*command: str) -> tuple[int, str]:
    done = subprocess.run(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    return done.returncode, done.stdout.decode()


def jobs(file: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"]
    return found


def steps(file: Path) -> list[dict[str, Any]]:
    return [step for job in jobs(file).values() for step in job["steps"]]


def test_actionlint_finds_nothing() -> None:
    # with the path of shellcheck it looks into `run:` as well
    assert said(program("actionlint"), "-shellcheck", program("shellcheck"), *map(str, WORKFLOWS)) == (0, "")


def test_zizmor_finds_nothing() -> None:
    code, text = said(program("zizmor"), "--offline", "--no-progress", *map(str, FILES))
    assert code == 0, text
    assert "No findings to report" in text
    assert [file.name for file in FILES if f"completed {file}" not in text] == [], "each was looked at"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_shellcheck_finds_nothing(script: Path) -> None:
    assert said(program("shellcheck"), "--external-sources", "--source-path=SCRIPTDIR", str(script)) == (0, "")


@pytest.mark.parametrize("script", sorted((ROOT / "tools" / "nightly").glob("*.sh")), ids=lambda script: script.name)
def test_scripts_stop_at_the_first_error(script: Path) -> None:
    assert re.search(r"^set -euo pipefail$", script.read_text(encoding="utf-8"), re.MULTILINE)
    assert os.access(script, os.X_OK)


def test_actions_are_pinned_and_one_version_is_one_commit() -> None:
    used = [match for file in FILES for match in re.findall(r"uses: (\S+)(.*)", file.read_text(encoding="utf-8"))]
    assert used
    for name, comment in used:
        assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", name)
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment)
    names = {(name.partition("@")[0], name, comment) for name, comment in used}
    assert len(names) == len({short for short, _, _ in names}), "an action in two versions"


@each
def test_no_script_holds_an_expression(file: Path) -> None:
    assert [step["run"] for step in steps(file) if "${{" in step.get("run", "")] == []


@each
def test_no_more_is_permitted_than_is_needed(file: Path) -> None:
    about = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert about["permissions"] == {}
    assert "concurrency" in about
    writes = {}
    for name, job in jobs(file).items():
        assert job["timeout-minutes"] <= 60, name
        if write := sorted(key for key, value in job["permissions"].items() if value == "write"):
            writes[name] = write
    assert writes == {
        "ci.yml": {},
        "nightly.yml": {
            "issues": ["issues"],
            "refresh": ["contents", "pull-requests"],
            "pages": ["id-token", "pages"],
        },
    }.get(file.name)


@each
def test_no_branch_is_taken_for_the_default_one(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert "refs/heads/" not in text
    # the event of a schedule says nothing about the repository; a schedule runs on the default branch only
    for condition in re.findall(r"\(?[^(]*github\.event\.repository\.default_branch\)?", text):
        assert condition == (
            "(github.event_name == 'schedule' || github.ref_name == github.event.repository.default_branch)"
        )


@each
def test_no_checkout_leaves_a_token(file: Path) -> None:
    checkouts = [step for step in steps(file) if step.get("uses", "").startswith("actions/checkout@")]
    assert [step for step in checkouts if step["with"]["persist-credentials"] is not False] == []


def test_a_key_is_where_its_provider_is_asked_and_nowhere_else() -> None:
    file = ROOT / ".github" / "workflows" / "nightly.yml"
    holders = {name for name, job in jobs(file).items() if "secrets." in str(job)}
    assert holders == {"provider"}
    assert jobs(file)["provider"]["environment"] == "provider-${{ matrix.provider.name }}"
    assert set(re.findall(r"secrets[.\[]\S+", file.read_text(encoding="utf-8"))) == {"secrets.API_KEY"}


def test_addresses_of_hosted_providers_can_be_given() -> None:
    job = jobs(ROOT / ".github" / "workflows" / "nightly.yml")["provider"]
    (asked,) = [step for step in job["steps"] if step.get("run") == "tools/nightly/provider.sh"]
    for provider in load(ROOT / "providers.yaml").providers.values():
        if "127.0.0.1" not in provider.base_url:
            for name in re.findall(r"\$\{(\w+)", provider.base_url):
                assert asked["env"][name] == f"${{{{ vars.{name} }}}}", provider.name
