"""`conformance report`, as somebody types it."""

import json
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from conformance.audit.observation import dumps
from conformance.cli import call
from tests.report.examples import observation

DATA = Path(__file__).parent / "data"
ACME, ZETA, CUT = (str(DATA / f"{name}.jsonl") for name in ("acme", "zeta", "cut"))


def report(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = call(["report", *args])
    out, err = capsys.readouterr()
    return code, out, err


def test_without_options_it_prints_the_verdicts(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = report(capsys, ZETA)
    assert (code, err) == (0, "")
    assert out.startswith("zeta m1: safe\n")


def test_what_is_red_is_exit_code_one(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = report(capsys, ACME)
    assert code == 1
    assert "acme m1: needs guards: index-missing" in out
    assert "no recording: other" in out


def test_a_folder_stands_for_its_record(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    shutil.copy(ZETA, tmp_path / "run.jsonl")
    assert report(capsys, str(tmp_path))[0] == 0


def test_several_records_become_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = report(capsys, ACME, ZETA, "-f", "json")
    assert [row["provider"] for row in json.loads(out)["rows"]] == ["acme", "other", "zeta"]


@pytest.mark.parametrize(
    ("form", "start"), [("markdown", "# "), ("html", "<!doctype html>"), ("json", "{"), ("junit", "<?xml")]
)
def test_formats_go_to_standard_output(capsys: pytest.CaptureFixture[str], form: str, start: str) -> None:
    code, out, _ = report(capsys, ZETA, "-f", form)
    assert code == 0
    assert out.startswith(start)


def test_all_files_go_to_a_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = report(capsys, ZETA, "-o", str(tmp_path))
    assert code == 0
    assert out.splitlines() == [
        str(tmp_path / name) for name in ("quirks.md", "quirks.html", "quirks.json", "junit.xml")
    ]
    assert ET.parse(tmp_path / "junit.xml").getroot().get("tests") == "2"


def test_one_file_goes_to_a_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    report(capsys, ZETA, "-f", "markdown", "-o", str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["quirks.md"]


def test_the_terminal_is_no_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = report(capsys, ZETA, "-f", "terminal", "-o", str(tmp_path))
    assert (code, out) == (4, "")
    assert err == "-f terminal writes no file; leave out -o, or choose another format\n"


def test_an_incomplete_record_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = report(capsys, ZETA, CUT)
    assert (code, out) == (4, "")
    assert err.count("\n") == 1
    assert "cut.jsonl" in err
    assert "incomplete" in err
    assert "--allow-incomplete" in err


@pytest.mark.parametrize("form", ["terminal", "markdown", "html", "junit"])
def test_an_incomplete_record_can_be_shown_and_says_so(capsys: pytest.CaptureFixture[str], form: str) -> None:
    code, out, _ = report(capsys, CUT, "--allow-incomplete", "-f", form)
    assert code == 0
    assert "INCOMPLETE" in out
    assert "undecided" in out


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "No such file"), (b"", "empty"), (b"no json\n", "not JSON"), (b'{"type":"footer"}\n', "line 1")],
)
def test_what_is_no_record_is_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes | None, words: str
) -> None:
    path = tmp_path / "run.jsonl"
    if content is not None:
        path.write_bytes(content)
    code, out, err = report(capsys, str(path))
    assert (code, out) == (4, "")
    assert err.count("\n") == 1
    assert str(path) in err
    assert words in err


def test_a_folder_that_cannot_be_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code, _, err = report(capsys, ZETA, "-o", str(tmp_path / "file"))
    assert code == 4
    assert "choose another folder with -o" in err


def test_no_record_and_unknown_formats_are_usage_errors(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(capsys)[0] == 4
    assert report(capsys, ZETA, "-f", "pdf")[0] == 4


def test_strict_counts_should_findings(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = [json.loads(line) for line in Path(ACME).read_text().splitlines()]
    kept = [line for line in lines if not line.get("not_run")]
    kept[-1] |= {"exchanges": len(kept) - 2, "unexpected": 0, "not_run": 0}
    for line in kept[1:-1]:
        for found in line["findings"]:
            found["level"] = "should"
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in kept))
    assert report(capsys, str(path))[0] == 0
    assert report(capsys, str(path), "--strict")[0] == 1


def test_help_begins_with_what_it_is_for(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = report(capsys, "--help")
    assert code == 0
    assert "conformance report runs/latest" in out
    assert "--allow-incomplete" in out


@pytest.fixture
def observed(tmp_path: Path) -> Path:
    path = tmp_path / "observations.jsonl"
    path.write_text(dumps([observation("other"), observation("other", "comment", found=0)]), encoding="utf-8")
    return path


def test_observations_stand_beside_and_change_no_exit_code(capsys: pytest.CaptureFixture[str], observed: Path) -> None:
    code, out, err = report(capsys, ZETA, "--observations", str(observed))
    assert (code, err) == (0, "")
    assert out.startswith("zeta m1: safe\n")
    assert "other: no recording: published recordings (5 exchanges, 1 model named, 2025-01 to 2026-03)" in out
    assert report(capsys, ACME, "--observations", str(observed))[0] == 1


def test_the_same_observations_twice_are_counted_once(capsys: pytest.CaptureFixture[str], observed: Path) -> None:
    once = report(capsys, ZETA, "--observations", str(observed), "-f", "json")
    twice = report(capsys, ZETA, "--observations", str(observed), "--observations", str(observed), "-f", "json")
    assert once == twice


@pytest.mark.parametrize("text", ["", "no json\n", '{"provider": "x"}\n', None])
@pytest.mark.parametrize("command", ["report", "run"])
def test_what_are_no_observations_is_one_sentence(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str | None,
    command: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("providers.yaml").write_text("providers:\n  beta:\n    base_url: http://127.0.0.1:9/v1\n    models: [m1]\n")
    if text is not None:
        Path("observations.jsonl").write_text(text)
    given = [ZETA] if command == "report" else ["-o", "out"]
    assert call([command, *given, "--observations", "observations.jsonl"]) == 4
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("observations.jsonl: ")
    assert not Path("out/quirks.md").exists()


def test_a_run_shows_observations(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, observed: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("providers.yaml").write_text("providers:\n  beta:\n    base_url: http://127.0.0.1:9/v1\n    models: [m1]\n")
    assert call(["run", "-o", "out", "--observations", str(observed)]) == 5
    assert "other: no recording: published recordings" in capsys.readouterr().out
    assert "◆&nbsp;2/5" in Path("out/quirks.md").read_text(encoding="utf-8")


def test_the_excerpt_is_printed_and_no_file(capsys: pytest.CaptureFixture[str], tmp_path: Path, observed: Path) -> None:
    code, out, _ = report(capsys, ZETA, "--observations", str(observed), "-f", "excerpt")
    assert code == 0
    assert out.startswith("| provider | [index-missing](docs/quirks/index-missing.md) |\n")
    code, out, err = report(capsys, ZETA, "-f", "excerpt", "-o", str(tmp_path))
    assert (code, out) == (4, "")
    assert err == "-f excerpt writes no file; leave out -o, or choose another format\n"
