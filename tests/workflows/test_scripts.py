"""The scripts of the nightly, each by itself, where a whole night would not come by."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.cli import call
from conformance.faults.server import FaultServer
from tests.actions.runner import commands
from tests.workflows.runner import ROOT

TOOLS: Final = ROOT / "tools" / "nightly"
Done = subprocess.CompletedProcess[str]


def ran(*command: str, given: str = "", where: Path | None = None, **variables: str) -> Done:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    return subprocess.run(
        command, cwd=where, input=given, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )


def provider(name: str, base_url: str, key: str | None = "SOME_KEY") -> dict[str, Any]:
    return {"name": name, "api_key_env": key, "verified": "never", "base_url": base_url}


LISTED: Final = [
    provider("acme", "https://api.acme.example/v1"),
    provider("resource", "https://${RESOURCE}.example.com/v1"),
    provider("region", "${REGION_URL:-https://eu.example.com/v1}"),
    provider("keyless", "https://free.example.com/v1", None),
    provider("local", "${LOCAL_URL:-http://127.0.0.1:8000/v1}"),
    provider("named", "http://localhost:8000/v1"),
    provider("six", "http://[::1]:8000/v1"),
    provider("lan", "http://192.168.3.4:8000/v1"),
]


def planned(chosen: str) -> Done:
    return plan(chosen, ROOT)


def plan(chosen: str, where: Path, **variables: str) -> Done:
    script, given = str(TOOLS / "plan.py"), json.dumps(LISTED)
    variables = {"GITHUB_ACTIONS": "", "SOME_KEY": "", "NIGHTLY_PROVIDERS": chosen} | variables
    return ran(sys.executable, script, given=given, where=where, **variables)


def test_every_hosted_provider_with_a_key_is_planned() -> None:
    entries = json.loads(planned("").stdout)
    assert [one["name"] for one in entries] == ["acme", "resource", "region"]
    assert entries[0] == {"name": "acme", "key": "SOME_KEY", "required": False}


def test_who_is_named_is_planned_wherever_it_is_and_has_to_run() -> None:
    entries = json.loads(planned("lan, keyless acme,lan").stdout)
    assert [(one["name"], one["key"], one["required"]) for one in entries] == [
        ("lan", "SOME_KEY", True),
        ("keyless", "", True),
        ("acme", "SOME_KEY", True),
    ]


def test_a_name_that_nobody_has_is_an_error() -> None:
    done = planned("acme acne")
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.startswith("plan: NIGHTLY_PROVIDERS: acne: not in the providers file, which has acme, ")


@pytest.mark.parametrize(
    ("chosen", "variables", "named"),
    [
        ("", {"SOME_KEY": "k"}, ["lan", "local", "named", "six"]),
        ("", {}, []),  # there is no key: nothing to say
        ("", {"GITHUB_ACTIONS": "true"}, ["lan", "local", "named", "six"]),  # nobody can know here
        ("acme", {"SOME_KEY": "k"}, []),  # whoever names some wants no others
    ],
)
def test_who_has_a_key_and_is_near_is_named(
    tmp_path: Path, chosen: str, variables: dict[str, str], named: list[str]
) -> None:
    assert plan(chosen, tmp_path, **variables).returncode == 0
    reasons = {path.parent.name: path.read_text() for path in tmp_path.glob("runs/night/*/not-asked")}
    assert sorted(reasons) == named
    assert set(reasons.values()) <= {"its address is local; name it in NIGHTLY_PROVIDERS\n"}


def test_what_is_committed_here_can_be_planned() -> None:
    listed = ran(sys.executable, "-m", "conformance", "list", "providers", "--format", "json", where=ROOT)
    done = ran(sys.executable, str(TOOLS / "plan.py"), given=listed.stdout)
    names = {one["name"] for one in json.loads(done.stdout)}
    assert {"openai", "dashscope", "azure"} <= names
    assert not names & {"ollama", "llamacpp", "litellm", "vllm", "transformers"}


@pytest.mark.parametrize(
    ("variables", "ask"),
    [
        ({"API_KEY": "k", "KEY_NAME": "SOME_KEY", "REQUIRED": "false"}, True),
        ({"API_KEY": "", "KEY_NAME": "SOME_KEY", "REQUIRED": "false", "SOME_KEY": "k"}, True),
        ({"API_KEY": "", "KEY_NAME": "", "REQUIRED": "true"}, True),
        ({"API_KEY": "", "KEY_NAME": "SOME_KEY", "REQUIRED": "true"}, True),
        ({"API_KEY": "", "KEY_NAME": "SOME_KEY", "REQUIRED": "false"}, False),
        ({"KEY_NAME": "SOME_KEY", "REQUIRED": "false", "SOME_KEY": ""}, False),
    ],
)
def test_whether_there_is_a_key(tmp_path: Path, variables: dict[str, str], ask: bool) -> None:
    done = ran(str(TOOLS / "key.sh"), where=tmp_path, PROVIDER="acme", GITHUB_ACTIONS="", **variables)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"ask={str(ask).lower()}\n", "")
    assert (tmp_path / "runs/night/acme/not-asked").exists() is not ask


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=60), st.integers(0, 80))
def test_only_whole_lines_are_passed_on(text: str, most: int) -> None:
    text = text.replace("\0", "") + "\n"
    done = subprocess.run([TOOLS / "first.sh", str(most)], input=text.encode(), stdout=subprocess.PIPE, check=True)
    passed = done.stdout.decode()
    if len(text.encode()) <= most:
        assert passed == text
    else:
        kept, _, note = passed.rpartition("\n(The rest is cut; ")
        assert note
        assert len(kept.encode()) <= most
        assert text.startswith(kept)
        assert not kept or kept.endswith("\n")


@pytest.mark.skipif("CI" not in os.environ, reason="downloads and installs everything anew: only where CI is set")
def test_it_installs_what_a_night_needs(tmp_path: Path) -> None:
    for name in ("conformance", "pyproject.toml", "requirements.lock", "README.md", "LICENSE"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    done = ran(str(TOOLS / "install.sh"), where=tmp_path, PYTHON=sys.executable, PYTHONPATH="")
    assert done.returncode == 0, done.stderr
    listed = ran(".venv/bin/conformance", "list", "quirks", where=tmp_path, PYTHONPATH="")
    assert "index-missing" in listed.stdout


@pytest.fixture
def night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A night for which four providers were planned: one has a whole record, one a cut, one an altered, one none."""
    monkeypatch.chdir(tmp_path)
    with FaultServer() as server:
        assert call(["run", "--base-url", server.url, "--model", "m", "-s", "single_call", "-o", "one"]) == 0
    lines = Path("one/run.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    for name, kept in (("whole", lines), ("cut", lines[:-1]), ("altered", ["{", *lines[1:]])):
        cassettes = Path("runs/night", name, "cassettes", name)
        cassettes.mkdir(parents=True)
        (cassettes / "new.stream.yaml").write_text(name)
        Path("runs/night", name, "run.jsonl").write_text("".join(kept), encoding="utf-8")
        Path("cassettes", name).mkdir(parents=True)
        Path("cassettes", name, "old.stream.yaml").write_text(name)
    plan = [{"name": name, "key": "", "required": True} for name in ("whole", "cut", "altered", "lost")]
    Path("runs/night/_committed").mkdir()
    Path("runs/night/_committed/plan.json").write_text(json.dumps(plan))
    Path("runs/result").mkdir()
    return tmp_path


def test_whoever_left_no_whole_record_is_named_and_nothing_of_theirs_is_kept(night: Path) -> None:
    done = ran(sys.executable, str(TOOLS / "night.py"), "collect", where=night)
    assert (done.returncode, done.stdout, done.stderr) == (0, "runs/night/whole/run.jsonl\n", "")
    result = night / "runs/result"
    assert (result / "failed").read_text().split() == ["cut", "altered", "lost"]
    assert (result / "asked").read_text().split() == ["whole"]
    first, _, cut, altered, lost = (result / "asked.md").read_text().splitlines()
    assert first == "Asked this night: whole."
    assert (cut, lost) == ("- **cut: its run did not finish**", "- **lost: its job left no record**")
    assert altered.startswith("- **altered: its record cannot be read: `runs/night/altered/run.jsonl")
    assert sorted(str(path.relative_to(result / "cassettes")) for path in result.rglob("*.yaml")) == [
        "altered/old.stream.yaml",
        "cut/old.stream.yaml",
        "whole/new.stream.yaml",  # everything planned was had: what is old is of scenarios that are no more
    ]


@pytest.mark.parametrize(
    ("planned", "reasons", "says"),
    [
        (["acme"], {"acme": "no key (ACME_API_KEY)"}, "give a provider its key (docs/nightly.md)."),
        (["acme"], {"acme": "no key (A)", "lan": "its address is local"}, "give a provider its key (docs/nightly.md)."),
        ([], {"lan": "its address is local"}, "name those to ask in NIGHTLY_PROVIDERS (docs/nightly.md)."),
        (["acme"], {}, "nobody that was to be asked left a whole record;"),
    ],
)
def test_a_night_that_measured_nothing_says_what_helps(
    tmp_path: Path, planned: list[str], reasons: dict[str, str], says: str
) -> None:
    for name, reason in {**reasons, "_committed": ""}.items():
        (tmp_path / "runs/night" / name).mkdir(parents=True)
        if reason:
            (tmp_path / "runs/night" / name / "not-asked").write_text(reason)
    entries = [{"name": name, "key": "A", "required": False} for name in planned]
    (tmp_path / "runs/night/_committed/plan.json").write_text(json.dumps(entries))
    assert ran(sys.executable, str(TOOLS / "night.py"), "collect", where=tmp_path).returncode == 0
    *lines, last = (tmp_path / "runs/result/asked.md").read_text().splitlines()
    assert last.startswith("Nothing was measured: ")
    assert says in last
    for name, reason in reasons.items():
        assert f"- {name}: not asked: {reason}" in lines


def text_of(number: int, change: str = "unexpected") -> str:
    key, said = f"<!-- conformance-cell: acme/m/q-{number} -->", f"<!-- conformance-change: {change} -->"
    return f"# acme m: q-{number}: appeared\n{key}\n{said}\n\n{'x' * 70_000 if number == 0 else 'Text.'}\n"


@pytest.fixture
def github(tmp_path: Path) -> Path:
    (tmp_path / "issues").mkdir()
    (tmp_path / "settled").write_text("")
    (tmp_path / "gh").write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__).parent}/fake_gh.py" "$@"\n')
    (tmp_path / "gh").chmod(0o755)
    return tmp_path


def issues(folder: Path, token: str = "made-up") -> Done:
    path = f"{folder}:{os.environ['PATH']}"
    script = str(TOOLS / "issues.py")
    return ran(sys.executable, script, str(folder), PATH=path, FAKE_GH=str(folder / "gh.json"), GH_TOKEN=token)


def state(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / "gh.json").read_text())["issues"]
    return found


def test_many_changes_at_once_do_not_open_as_many_issues(github: Path) -> None:
    for number in range(30):
        (github / "issues" / f"{number:02}.md").write_text(text_of(number))
    done = issues(github)
    assert done.returncode == 0, done.stderr
    assert len(state(github)) == 20
    (warning,) = commands(done.stdout)
    assert (warning.name, warning.text) == ("warning", "10 more cells changed; the summary of the night has them")


def test_an_issue_is_closed_only_where_the_night_could_tell(github: Path) -> None:
    for number in range(3):
        (github / "issues" / f"{number}.md").write_text(text_of(number))
    assert issues(github).returncode == 0
    for path in (github / "issues").iterdir():
        path.unlink()
    (github / "issues" / "1.md").write_text(text_of(1, "resolved"))
    (github / "settled").write_text("acme/m/q-0\nacme/m/q-1\nacme/m/q-7\n")
    assert issues(github).returncode == 0
    assert [one["open"] for one in state(github)] == [False, False, True]
    assert state(github)[1]["comments"] == [text_of(1, "resolved").partition("\n")[2]]


def test_an_issue_that_people_opened_is_left_alone(github: Path) -> None:
    (github / "issues" / "1.md").write_text(text_of(1))
    theirs = {"number": 5, "open": True, "label": "bug", "title": "Mine", "body": text_of(1), "comments": []}
    (github / "gh.json").write_text(json.dumps({"labels": ["bug"], "issues": [theirs], "pulls": []}))
    assert issues(github).returncode == 0
    assert state(github)[0] == theirs
    assert len(state(github)) == 2


def test_a_file_that_is_no_issue_is_an_error(github: Path) -> None:
    (github / "issues" / "1.md").write_text("# Title\nwithout a key\n")
    done = issues(github)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith("1.md: no text of an issue; let 'conformance diff -f issues' write it\n")


def test_what_gh_says_no_to_is_an_error(github: Path) -> None:
    done = issues(github, token="")
    assert done.returncode == 1
    assert done.stderr.endswith("issues: 'gh issue list' ended with 1; what it said stands above\n")
