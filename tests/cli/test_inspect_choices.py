"""What `inspect` is told beside its files: one exchange of several, the request, how much to show, comparisons."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from conformance.cli import call
from tests.importers.examples import ANSWER, CAPTURE, REQUEST, STREAM

NO_INDEX = STREAM.replace(b'"index": 0, "id"', b'"id"').replace(b'[{"index": 0, "function"', b'[{"function"')

pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a clean stream, a broken one, a complete answer, and three captures in one file."""
    (tmp_path / "clean.sse").write_bytes(STREAM)
    (tmp_path / "broken.sse").write_bytes(NO_INDEX)
    (tmp_path / "answer.json").write_text(json.dumps(ANSWER))
    (tmp_path / "request.json").write_text(json.dumps(REQUEST))
    captures = [{**CAPTURE, "response_body": body.decode()} for body in (STREAM, NO_INDEX, STREAM)]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(c) + "\n" for c in captures))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sources(capsys: pytest.CaptureFixture[str], *args: str) -> list[str]:
    """The exchanges that are inspected."""
    call(["inspect", "--format", "json", *args])
    return [exchange["source"] for exchange in json.loads(capsys.readouterr().out)["exchanges"]]


def test_one_exchange_of_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert sources(capsys, "log.jsonl") == ["log.jsonl#0", "log.jsonl#1", "log.jsonl#2"]
    assert sources(capsys, "log.jsonl#2", "clean.sse", "log.jsonl#0") == ["log.jsonl#2", "clean.sse#0", "log.jsonl#0"]
    assert call(["inspect", "log.jsonl#0"]) == 0
    assert call(["inspect", "log.jsonl#1"]) == 1


def test_a_file_that_is_called_like_a_choice(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "clean.sse#7").write_bytes(STREAM)
    assert sources(capsys, "clean.sse#7") == ["clean.sse#7#0"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["log.jsonl#3"], "log.jsonl: has no exchange #3; it holds 3 exchanges, counted from #0\n"),
        (["clean.sse#1"], "clean.sse: has no exchange #1; it holds 1 exchange, counted from #0\n"),
        (["none#1"], "none: there is no such file; check the path\n"),
        (["--diff", "log.jsonl", "clean.sse"], "log.jsonl: holds 3 exchanges; choose one, as in log.jsonl#0\n"),
        (
            ["--report", "out", "log.jsonl"],
            "--report is about one exchange, and there are more; choose one, as in FILE#0\n",
        ),
    ],
)
def test_choices_that_cannot_be_followed(args: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["inspect", *args]) == 4
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["-", "--request", "-"], "can be read once only"),
        (["-", "-"], "can be read once only"),
        (["--diff", "clean.sse"], "--diff compares two answers, not 1"),
        (["--diff", "--watch", "clean.sse"], "choose one of them"),
        (["--watch", "clean.sse", "broken.sse"], "--watch follows one file"),
        (["--watch", "-"], "tee FILE"),
        (["--watch", "--format", "json", "clean.sse"], "use --format json once the file is complete"),
        (["--watch", "--report", "out", "clean.sse"], "--redact and --report go with neither"),
        (["--events", "-1", "clean.sse"], "neither 'all' nor a number of rows"),
        (["--events", "many", "clean.sse"], "neither 'all' nor a number of rows"),
    ],
)
def test_options_that_do_not_go_together(args: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["inspect", *args]) == 4
    assert words in " ".join(capsys.readouterr().err.split())


def test_the_request_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(json.dumps(REQUEST).encode())))
    call(["inspect", "--format", "json", "--request", "-", "answer.json"])
    (exchange,) = json.loads(capsys.readouterr().out)["exchanges"]
    assert exchange["asked_mode"] == "stream"


@pytest.mark.parametrize("args", [["-"], ["--request", "-", "clean.sse"]])
def test_standard_input_that_is_closed(
    args: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert call(["inspect", *args]) == 4
    assert capsys.readouterr().err == "-: standard input is closed; give a file, or pipe something in\n"


def test_how_much_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    def output(*args: str) -> str:
        call(["inspect", "broken.sse", *args])
        return capsys.readouterr().out

    assert "\nevents  4 with data" in output()
    assert output("--events", "all") == output()
    assert "left out" in output("--events", "2")
    assert "\nevents" not in output("--events", "0")
    assert "      python " in output()
    assert "      typescript " in output("--guard", "typescript")


def test_names_with_control_characters_are_seen(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "odd.sse").write_bytes(STREAM.replace(b"get_weather", b"get\\u0000_\\u202eweather"))
    call(["inspect", "odd.sse"])
    assert "call 0: 'get\\x00_\\u202eweather'" in capsys.readouterr().out


def test_a_comparison_for_people(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["inspect", "--diff", "clean.sse", "answer.json"]) == 0
    assert "no fault: both say the same" in capsys.readouterr().out
    (folder / "lost.sse").write_bytes(STREAM.replace(b'\\"}"', b'"'))
    assert call(["inspect", "--diff", "lost.sse", "answer.json"]) == 1
    out = capsys.readouterr().out
    assert "the arguments of A stop after event 1" in out
    second = STREAM.index(b"\n\n") + 2
    assert f"          A: event 1, byte {second}, /choices/0/delta/tool_calls/0" in out
    (folder / "other.sse").write_bytes(STREAM.replace(b"Paris", b"Tokyo"))
    assert call(["inspect", "--diff", "answer.json", "other.sse"]) == 0
    out = capsys.readouterr().out
    assert '/city  A "Paris"  B "Tokyo"' in out
    assert "no fault: the model may have answered differently" in out


def test_a_comparison_for_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["inspect", "--diff", "--format", "json", "log.jsonl#1", "log.jsonl#2"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["a"], found["b"]) == ("conformance/diff/1", "log.jsonl#1", "log.jsonl#2")
    (one,) = [d for d in found["differences"] if d["what"] == "index-missing"]
    assert one["kind"] == "fault"
    assert one["places"] == {"a": {"event": 0, "byte": 0, "pointer": "/choices/0/delta/tool_calls/0"}}
