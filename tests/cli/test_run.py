"""`conformance run`: what a person or a CI job gets from it."""

from __future__ import annotations

import html
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.cli import call
from conformance.run.record import load_record
from conformance.scenarios import catalogue
from tests.fake_provider import FakeProvider

FILE = """\
providers:
  acme:
    base_url: ${ACME_URL:-http://127.0.0.1:9/v1}
    models: [m1]
    api_key_env: ACME_API_KEY
  beta:
    base_url: http://127.0.0.1:9/v1
    models: [m1]
"""
KEY = "sk-fake-0123456789abcdef"
REPORTS = ["junit.xml", "quirks.html", "quirks.json", "quirks.md", "run.jsonl"]
SOME = ("-s", "single_call,parallel_round_trip")
CELLS = sum(len(scenario.modes) for scenario in catalogue())
STEPS = sum(len(scenario.modes) * scenario.steps for scenario in catalogue())


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider() as server:
        yield server


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "providers.yaml").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    for name in ("ACME_URL", "ACME_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def recorded(project: Path, fake: FakeProvider, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project with acme recorded, and its server gone."""
    with monkeypatch.context() as patch:
        patch.setenv("ACME_URL", fake.url)
        patch.setenv("ACME_API_KEY", KEY)
        assert call(["run", "-p", "acme", "--record", *SOME, "-o", "recording"]) == 0
    fake.close()
    return project


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_replay_needs_neither_network_nor_key(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["run", *SOME, "-o", "out"]) == 0
    out = capsys.readouterr().out
    assert files(recorded / "out") == REPORTS
    assert "acme m1: safe" in out
    assert "no recording: beta" in out
    assert "reports in out/" in out
    assert "test session starts" not in out, "pytest's own output is not ours"


def test_the_default_folder(recorded: Path) -> None:
    assert call(["run", *SOME]) == 0
    assert files(recorded / "runs" / "latest") == REPORTS


def test_reports_and_record_hold_no_key(recorded: Path) -> None:
    for path in recorded.rglob("*"):
        if path.is_file():
            assert KEY not in path.read_text(errors="replace"), path


def test_settings_of_the_project_around_do_not_apply(recorded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (recorded / "pytest.ini").write_text("[pytest]\naddopts = --nonsense\n")
    (recorded / "conftest.py").write_text("raise RuntimeError('not ours')\n")
    monkeypatch.setenv("PYTEST_ADDOPTS", "--more-nonsense")
    assert call(["run", *SOME, "-o", "out"]) == 0
    assert os.environ["PYTEST_ADDOPTS"] == "--more-nonsense"


def test_two_processes_write_the_same_record(recorded: Path) -> None:
    assert call(["run", "-p", "acme", *SOME, "-o", "one"]) == 0
    assert call(["run", "-p", "acme", *SOME, "-o", "two", "-n", "2"]) == 0
    one, two = (load_record(recorded / name / "run.jsonl") for name in ("one", "two"))
    assert one.exchanges == two.exchanges


def test_a_deleted_cassette(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (recorded / "cassettes/acme/single_call.stream.yaml").unlink()
    assert call(["run", *SOME, "-o", "out"]) == 1
    said = capsys.readouterr()
    assert "not run: cassettes/acme/single_call.stream.yaml is not there\n" in said.err
    assert "conformance run --provider acme --scenario single_call --mode stream --record" in said.err
    assert files(recorded / "out") == REPORTS


def test_an_endpoint_that_behaves(project: Path, fake: FakeProvider, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["run", "--base-url", fake.url, "--model", "tiny", "-o", "out"]) == 0
    assert "local tiny: safe" in capsys.readouterr().out
    record = load_record(project / "out" / "run.jsonl")
    assert len({r["source"] for r in record.exchanges}) == CELLS
    assert {body["stream"] for body in fake.requests} == {True, False}
    assert not (project / "cassettes").exists()


def test_an_endpoint_that_does_not(project: Path, fake: FakeProvider, capsys: pytest.CaptureFixture[str]) -> None:
    fake.vice = "no-index"
    assert call(["run", "--base-url", fake.url, "--model", "m", *SOME, "-o", "out"]) == 1
    said = capsys.readouterr()
    assert "local m: needs guards: index-missing" in said.out
    rerun = f"conformance run --base-url {fake.url} --model m --scenario single_call --mode stream"
    assert f"  rerun     {rerun}\n" in said.err
    quirks = json.loads((project / "out" / "quirks.json").read_text())
    assert "index-missing" in json.dumps(quirks)


@pytest.mark.parametrize(
    ("model", "shown"),
    [("b;c", "--model 'b;c'"), ("it's $(id)", """--model 'it'"'"'s $(id)'"""), ("-x", "--model=-x")],
)
def test_the_command_that_runs_it_again_is_quoted_for_a_shell(
    project: Path, fake: FakeProvider, capsys: pytest.CaptureFixture[str], model: str, shown: str
) -> None:
    fake.vice = "no-index"
    assert call(["run", "--base-url", fake.url, f"--model={model}", *SOME, "-o", "out"]) == 1
    again = f"conformance run --base-url {fake.url} {shown} --scenario single_call --mode stream"
    assert f"  rerun     {again}\n" in capsys.readouterr().err
    assert f"again: {again}" in html.unescape((project / "out" / "junit.xml").read_text())


def test_a_stopped_server_is_said_once_with_the_number_of_cells(
    project: Path, fake: FakeProvider, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.close()
    assert call(["run", "--base-url", fake.url, "--model", "m", "-o", "out"]) == 1
    said = capsys.readouterr().err
    assert said.count("not run: connection refused by 127.0.0.1") == 1
    assert re.search(rf"^  cell +local/[\w/]+, and {CELLS - 1} more$", said, re.MULTILINE)
    assert said.count("start the server, or check the address") == 1
    record = load_record(project / "out" / "run.jsonl")
    assert {r["not_run"]["reason"] for r in record.exchanges if r["not_run"]} == {"refused"}
    assert len(record.exchanges) == STEPS, "every step of every conversation"


def test_an_address_with_nothing_behind_it_is_not_asked_for_every_cell(
    project: Path, fake: FakeProvider, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.vice = "absent"
    assert call(["run", "--base-url", fake.url, "--model", "m", "-o", "out"]) == 1
    assert len(fake.requests) == 3
    said = capsys.readouterr().err
    assert said.count("not run: the server answered HTTP 404: 404 page not found") == 1
    record = load_record(project / "out" / "run.jsonl")
    assert {r["not_run"]["reason"] for r in record.exchanges if r["not_run"]} == {"http-404"}
    assert len(record.exchanges) == STEPS, "every step of every conversation"


@pytest.mark.usefixtures("project")
def test_should_counts_when_strict(fake: FakeProvider) -> None:
    fake.vice = "empty-id"
    where = ["run", "--base-url", fake.url, "--model", "m", "-s", "single_call", "-o", "out"]
    assert call(where) == 0
    assert call([*where, "--strict"]) == 1


@pytest.mark.usefixtures("project")
def test_samples(fake: FakeProvider) -> None:
    where = ["run", "--base-url", fake.url, "--model", "m", "-s", "no_call", "--mode", "stream", "-o", "out"]
    assert call([*where, "--samples", "3"]) == 0
    assert len(fake.requests) == 3


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["-p", "acmee"], 4, "no provider is called 'acmee'; did you mean 'acme'"),
        (["-s", "singel_call"], 4, "did you mean 'single_call'"),
        (["--config", "nix.yaml"], 4, "nix.yaml: there is no such file"),
        (["--live"], 4, "name the providers to send to"),
        (["--base-url", "http://x/v1"], 4, "--base-url needs --model NAME"),
        (["--base-url", "http://x/v1", "--model", "m", "--replay"], 4, "--base-url is live; leave --replay out"),
        (["-p", "acme", "--samples", "2"], 4, "a replay plays what is recorded; add --live or --record"),
        (["-p", "acme", "--timeout", "1"], 4, "a replay waits for nobody"),
        (["-p", "acme", "--live", "--timeout", "nan"], 4, "--timeout nan: give a number of seconds above 0"),
        (["-p", "acme", "--live", "--timeout", "0"], 4, "--timeout 0: give a number of seconds above 0"),
        (["-p", "acme", "--live", "--max-bytes", "0"], 4, "--max-bytes 0: give a number from 1 on"),
        (["--cassettes", "casettes"], 4, "--cassettes casettes: there is no such folder"),
        (["--cassettes", "providers.yaml"], 4, "--cassettes providers.yaml: there is no such folder"),
        (["--mode", "chunks"], 4, "'chunks'"),
        (["-s", "usage_in_stream", "--mode", "complete"], 5, "nothing is left to run"),
        (["-o", "providers.yaml"], 4, "cannot write here"),
    ],
)
def test_one_sentence_and_the_right_code(
    project: Path, capsys: pytest.CaptureFixture[str], args: list[str], code: int, message: str
) -> None:
    assert call(["run", "-o", "out", *args]) == code
    said = capsys.readouterr()
    assert message in said.err
    assert "Traceback" not in said.err
    assert said.out == ""
    assert not (project / "out" / "run.jsonl").exists()


@pytest.mark.usefixtures("project")
def test_nothing_recorded_and_nobody_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["run", "-o", "out"]) == 5
    assert "nothing was measured: no provider has a recording" in capsys.readouterr().err


@pytest.mark.usefixtures("project")
def test_an_empty_providers_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "providers.yaml").write_text("")
    assert call(["run"]) == 4
    assert "providers.yaml: is empty" in capsys.readouterr().err


def test_a_missing_key(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["run", "-p", "acme", "--live", *SOME, "-o", "out"]) == 1
    said = capsys.readouterr().err
    assert "not run: ACME_API_KEY is not set; acme takes the key from it" in said
    assert files(project / "out") == REPORTS


def test_help_names_the_codes_and_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["run", "--help"]) == 0
    out = capsys.readouterr().out
    assert "Exit codes: 0 nothing unexpected" in out
    assert "conformance run --base-url" in out


def test_interrupted_it_leaves_a_readable_record(project: Path, fake: FakeProvider) -> None:
    fake.hang_after = 5
    code = "from conformance.cli import main; main()"
    args = ["run", "--base-url", fake.url, "--model", "m", "-o", "out"]
    with subprocess.Popen([sys.executable, "-c", code, *args], stderr=subprocess.PIPE, text=True) as process:
        while not fake.hanging.wait(0.05):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "interrupted; what was measured is in out/run.jsonl, which says that it is incomplete" in said
    assert "Traceback" not in said
    record = load_record(project / "out" / "run.jsonl", incomplete=True)
    assert not record.complete
    assert record.exchanges
