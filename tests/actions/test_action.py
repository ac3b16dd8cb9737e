"""`action.yml`: another repository tests its own endpoint, and gets a red job with the reason, or a green one."""

from __future__ import annotations

import json
import os
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Final

import pytest
import yaml

from conformance.faults import FAULTS
from conformance.faults.server import FaultServer
from tests.actions.composite import Action, Done
from tests.actions.runner import commands
from tests.fake_provider import FakeProvider

ROOT: Final = Path(__file__).resolve().parents[2]
KEY: Final = "Zq8vWm3nXb7LkT2hRf5yPd9cJ4sG6a"
LOCAL: Final = {"base-url": "http://127.0.0.1:9/v1", "model": "m"}
SOME: Final = {"scenarios": "single_call,parallel_calls"}


@pytest.fixture
def action(tmp_path: Path) -> Action:
    """The action, with what the step before would have installed."""
    workspace, temporary = tmp_path / "workspace", tmp_path / "temporary"
    workspace.mkdir()
    binaries = temporary / "conformance" / "bin"
    binaries.mkdir(parents=True)
    for name, rest in (("conformance", "-P -m conformance "), ("python", "")):
        path = binaries / name
        path.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" {rest}"$@"\n')
        path.chmod(0o755)
    return Action(ROOT, workspace, temporary)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


def run(action: Action, **given: str) -> Done:
    return action.run({name.replace("_", "-"): value for name, value in given.items()}, {}, only="run")


def test_an_endpoint_that_behaves_is_green(action: Action, workspace: Path) -> None:
    with FaultServer() as server:
        done = run(action, base_url=server.url, model="made-up-1", **SOME)
    assert done.code == 0, done.log
    assert done.outputs == {"exit-code": "0", "unexpected": "0", "report-dir": "conformance-report"}
    assert commands(done.log) == []
    assert done.summary.startswith("## ✓ Tool calling: nothing unexpected\n")
    files = sorted(path.name for path in (workspace / "conformance-report").iterdir())
    assert files == ["junit.xml", "quirks.html", "quirks.json", "quirks.md", "run.jsonl"]


def test_an_endpoint_that_deviates_is_red_and_says_why(action: Action, workspace: Path) -> None:
    with FaultServer() as server:
        url = server.url_of(FAULTS["index-all-zero"])
        done = run(action, base_url=url, model="made-up-1", output="out put", **SOME)
    assert done.code == 1
    assert done.outputs["exit-code"] == "1"
    assert int(done.outputs["unexpected"]) > 0
    assert done.outputs["report-dir"] == "out put"
    (only,) = commands(done.log)
    assert only.fields == {"title": "local: 1 unexpected quirk"}
    assert only.text.startswith("must index-reused")
    assert done.summary.startswith("## ✕ Tool calling: unexpected\n")
    assert "index-reused" in done.summary
    assert f"conformance run --base-url {url} --model made-up-1" in done.summary
    assert ET.parse(workspace / "out put" / "junit.xml").getroot().get("failures") != "0"


def test_strict_counts_should(action: Action) -> None:
    fault = FAULTS["done-missing"]
    with FaultServer() as server:
        given = {"base_url": server.url_of(fault), "model": "m", **SOME}
        assert run(action, **given).outputs["exit-code"] == "0"
        assert run(action, strict="False", **given).outputs["exit-code"] == "0"
        strict = run(action, strict="True", **given)
    assert (strict.code, strict.outputs["exit-code"]) == (1, "1")
    assert int(strict.outputs["unexpected"]) > 0


def test_expectations_of_a_file_keep_it_green(action: Action, workspace: Path) -> None:
    expected = {"quirk": "index-missing", "reason": "known", "source": {"document": "x", "date": "2026-01-01"}}
    acme = {"base_url": "http://127.0.0.1:9/v1", "models": ["m"], "expectations": [expected]}
    (workspace / "mine.yaml").write_text(json.dumps({"providers": {"acme": acme}}))
    with FakeProvider("no-index") as server:
        given = {"base_url": server.url, "model": "m", **SOME}
        assert run(action, **given).code == 1
        assert run(action, config="mine.yaml", provider="acme", **given).code == 0


def test_a_provider_of_a_file_is_enough(action: Action, workspace: Path) -> None:
    with FakeProvider() as server:
        (workspace / "providers.yaml").write_text(
            json.dumps({"providers": {"acme": {"base_url": server.url, "models": ["m"]}}})
        )
        done = run(action, provider="acme", **SOME)
    assert done.code == 0, done.log


def test_the_key_is_sent_and_stands_nowhere(action: Action, workspace: Path, tmp_path: Path) -> None:
    with FakeProvider() as server:
        done = run(action, base_url=server.url, model="m", api_key=KEY, **SOME)
        assert done.code == 0, done.log
        assert {one["authorization"] for one in server.headers} == {f"Bearer {KEY}"}
    assert KEY not in done.log + done.summary + str(done.outputs)
    for path in (path for folder in (workspace, tmp_path / "temporary") for path in folder.rglob("*")):
        assert not path.is_file() or KEY not in path.read_text(errors="replace"), path


def test_a_key_that_is_refused_is_red(action: Action) -> None:
    with FakeProvider("refuses-key") as server:
        done = run(action, base_url=server.url, model="m", api_key=KEY, **SOME)
    assert (done.code, done.outputs["exit-code"], done.outputs["unexpected"]) == (1, "1", "0")
    assert "not run" in done.summary
    assert KEY not in done.log + done.summary


def test_requests_are_limited(action: Action) -> None:
    with FakeProvider() as server:
        done = run(action, base_url=server.url, model="m", max_requests="2", samples="2")
        assert len(server.requests) == 2
    assert done.code == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "give base-url and model, or the provider of a file"),
        ({"base-url": "http://127.0.0.1:9/v1"}, "--base-url needs --model NAME, the model to ask for"),
        ({"base-url": "http://127.0.0.1:9/v1", "model": "m", "strict": "yes"}, "strict: give true or false"),
        ({"base-url": "http://127.0.0.1:9/v1", "model": "m", "output": ""}, "output: name a folder for the reports"),
        ({"provider": "acme"}, "providers.yaml: there is no such file"),
        ({**LOCAL, "api-key": "line\nbreak"}, "local: CONFORMANCE_API_KEY holds white space"),
        ({**LOCAL, "samples": "1; id"}, "Invalid value for '--samples': '1; id' is not a valid integer"),
        ({**LOCAL, "samples": "0"}, "--samples 0: give a number from 1 on"),
    ],
)
def test_what_is_missing_is_one_annotation(action: Action, given: dict[str, str], said: str) -> None:
    done = action.run(given, {}, only="run")
    assert (done.code, done.outputs["exit-code"], done.outputs["unexpected"]) == (4, "4", "")
    (only,) = commands(done.log)
    assert (only.name, said in only.text) == ("error", True)
    assert done.summary.startswith("## ✕ Tool calling: nothing was measured\n")


def test_a_selection_of_nothing_is_an_annotation_too(action: Action) -> None:
    done = action.run({**LOCAL, "scenarios": "usage_in_stream", "max-requests": "0"}, {}, only="run")
    assert done.code != 0
    assert [one.name for one in commands(done.log)] == ["error"]


HOSTILE: Final = (
    "--record",
    "$(touch owned) `touch owned` '; touch owned; ' \"; touch owned; \" ${{ github.token }} * ? ~ {a,b} \\",
    "x\ntouch owned\nexit-code=0\nexit-code<<E\n0\nE\n::add-mask::x",
)


EVERYWHERE: Final = [name for name in yaml.safe_load((ROOT / "action.yml").read_text())["inputs"] if name != "strict"]


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize("names", [EVERYWHERE, ["strict"], ["model", "output"]], ids=",".join)
def test_hostile_values_do_nothing(action: Action, workspace: Path, names: list[str], value: str) -> None:
    with FakeProvider() as server:
        given = {"base-url": server.url, "model": "m", "scenarios": "no_call", **dict.fromkeys(names, value)}
        done = action.run(given, {}, only="run")
    assert not [*workspace.rglob("owned")]
    assert done.outputs["exit-code"] == str(done.code)
    assert done.code == (0 if "output" in names and len(names) == 2 else 4), done.log
    assert set(done.outputs) == {"exit-code", "unexpected", "report-dir"}
    assert done.outputs["report-dir"] == given.get("output", "conformance-report")
    assert {one.name for one in commands(done.log)} <= {"error"}


def test_no_script_holds_an_expression() -> None:
    for step in yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_actions_of_others_are_pinned() -> None:
    used = re.findall(r"uses: (\S+)(.*)", (ROOT / "action.yml").read_text())
    assert len(used) == 2
    for name, comment in used:
        assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", name)
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment)


def test_nothing_is_uploaded_unasked() -> None:
    about = yaml.safe_load((ROOT / "action.yml").read_text())
    (upload,) = [step for step in about["runs"]["steps"] if "upload" in step.get("uses", "")]
    assert upload["if"] == "${{ always() && inputs.artifact != '' }}"
    assert about["inputs"]["artifact"]["default"] == ""


@pytest.mark.skipif("CI" not in os.environ, reason="downloads and installs everything anew: only where CI is set")
def test_it_installs_what_it_needs(tmp_path: Path) -> None:
    workspace, temporary = tmp_path / "workspace", tmp_path / "temporary"
    workspace.mkdir()
    temporary.mkdir()
    with FaultServer() as server:
        given = {"base-url": server.url, "model": "made-up-1", **SOME}
        done = Action(ROOT, workspace, temporary).run(given, {"steps.python.outputs.python-path": sys.executable})
    assert done.code == 0, done.log
    assert done.outputs["unexpected"] == "0"
