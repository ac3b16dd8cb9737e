"""`conformance history add` and what reports say from it, as somebody types it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.cli import call
from conformance.errors import InputError
from conformance.report.history import History, Look, load, schema
from conformance.report.matrix import build
from conformance.report.timeline import Change
from conformance.run.record import Record
from tests.report.examples import exchange, finding, missing, provider, record, row_of

HEADER = '{"schema":"conformance/history/1"}'
CELL = '{"provider":"acme","model":"m1","quirk":"index-missing"'


def written(path: Path, night: Record) -> str:
    """A record as a run leaves it."""
    rows: list[Any] = [night.header, *night.exchanges, night.footer]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows if row is not None))
    return str(path)


def night(day: str, *findings: Any, **header: Any) -> Record:
    """A night on which acme's two scenarios were asked; the first shows the findings."""
    moment = f"{day}T02:00:00+00:00"
    asked = [
        exchange("acme", "single_call", "stream", *findings, recorded_at=moment, applicable=["index-missing"]),
        exchange("acme", "two_tools", "stream", recorded_at=moment, applicable=["index-missing"]),
    ]
    return record(*asked, started=moment, **header)


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def add(path: Path, *records: str) -> int:
    return call(["history", "add", *records, "--history", str(path)])


@pytest.fixture
def history(tmp_path: Path) -> Path:
    return tmp_path / "history.jsonl"


def test_a_line_is_a_change(history: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nights = [("2026-12-01", []), ("2026-12-02", []), ("2026-12-03", [finding()]), ("2026-12-04", [finding()])]
    for day, findings in nights:
        assert add(history, written(tmp_path / "run.jsonl", night(day, *findings))) == 0
    assert lines(history) == [
        HEADER,
        '{"provider":"acme","model":"m1","looked":["2026-12-01/2026-12-04"]}',
        f'{CELL},"day":"2026-12-01","state":"ok","occurrences":0,"applicable":2}}',
        f'{CELL},"day":"2026-12-03","state":"found","level":"must","occurrences":1,"applicable":2}}',
    ]
    assert capsys.readouterr().out.splitlines()[-2:] == [
        f"{history}: 1 cell changed, 1 known",
        f"{history}: 0 cells changed, 1 known",
    ]
    for line in lines(history)[1:]:
        jsonschema.Draft7Validator(schema()).validate(json.loads(line))


def test_the_same_record_twice_changes_nothing(history: Path, tmp_path: Path) -> None:
    first = written(tmp_path / "1.jsonl", night("2026-12-01"))
    second = written(tmp_path / "2.jsonl", night("2026-12-02", finding()))
    assert add(history, second, first) == 0
    before = history.read_bytes()
    for again in (first, second):
        assert add(history, again) == 0
        assert history.read_bytes() == before


def test_a_folder_stands_for_its_record(history: Path, tmp_path: Path) -> None:
    written(tmp_path / "run.jsonl", night("2026-12-01"))
    assert add(history, str(tmp_path)) == 0
    assert len(lines(history)) == 3


def test_a_link_to_a_history_stays_one(history: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.jsonl"
    link.symlink_to(history)
    for day in ("2026-12-01", "2026-12-02"):
        assert add(link, written(tmp_path / f"{day}.jsonl", night(day, finding()))) == 0
    assert link.is_symlink()
    assert '"looked":["2026-12-01/2026-12-02"]' in history.read_text()


@pytest.mark.parametrize(
    ("days", "silent"),
    [
        ({}, 0),
        ({1: True}, 0),
        ({1: True, 2: False}, 1),
        ({1: True, 2: False, 3: False, 9: False}, 3),
        ({1: True, 2: False, 3: False, 9: True}, 0),
        ({1: False, 2: True, 3: False, 4: True, 5: False, 6: False}, 2),  # by now it comes and goes
        ({1: False, 2: True, 3: False, 4: True}, 0),
    ],
)
def test_how_long_a_quirk_has_been_silent(days: dict[int, bool], silent: int) -> None:
    known = History()
    for day, found in days.items():
        iso = f"2026-12-{day:02}"
        seen = Change(iso, "found", "must", 1, 8) if found else Change(iso, "ok", None, 0, 8)
        known = known.add([Look("acme", "m1", "index-missing", iso, seen)])
    assert known.silence("acme", "m1", "index-missing") == silent


def test_what_could_not_be_run_is_no_change(history: Path, tmp_path: Path) -> None:
    add(history, written(tmp_path / "1.jsonl", night("2026-12-01", finding())))
    before = history.read_bytes()
    lost = record(missing("acme", "single_call"), missing("acme", "two_tools"), started="2026-12-02T00:00:00+00:00")
    assert add(history, written(tmp_path / "2.jsonl", lost)) == 5
    assert history.read_bytes() == before


def test_what_is_missing_in_part_of_a_night_is_not_gone(history: Path, tmp_path: Path) -> None:
    add(history, written(tmp_path / "1.jsonl", night("2026-12-01", finding())))
    rest = exchange("acme", "two_tools", recorded_at="2026-12-02T02:00:00Z", applicable=["index-missing"])
    gap = record(rest, missing("acme", "single_call"))
    assert add(history, written(tmp_path / "2.jsonl", gap)) == 0
    assert add(history, written(tmp_path / "3.jsonl", night("2026-12-03", narrowed=True))) == 0
    assert load(history).changes("acme", "m1", "index-missing")[-1].text == "found since 2026-12-01"
    add(history, written(tmp_path / "4.jsonl", night("2026-12-04")))
    assert load(history).changes("acme", "m1", "index-missing")[-1].text == "not found since 2026-12-04"


def test_reports_say_since_when(history: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(history, written(tmp_path / "1.jsonl", night("2026-12-01", finding())))
    latest = written(tmp_path / "2.jsonl", night("2026-12-09", finding()))
    capsys.readouterr()
    call(["report", latest, "--history", str(history), "-f", "markdown"])
    assert "in 1/2 exchanges, 1 finding, 0 expected, found since 2026-12-01" in capsys.readouterr().out
    call(["report", latest, "--history", str(history), "-f", "html"])
    assert "found since 2026-12-01" in capsys.readouterr().out
    call(["report", latest, "--history", str(history), "-f", "json"])
    (cell,) = [c for c in json.loads(capsys.readouterr().out)["rows"][0]["cells"] if c["quirk"] == "index-missing"]
    assert cell["since"] == "2026-12-01"
    call(["report", latest, "-f", "markdown"])
    assert "since" not in capsys.readouterr().out
    assert "2026-12-09" not in history.read_text(), "a report writes no history"


def test_a_run_says_since_when(
    history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    history.write_text(f"{HEADER}\n")
    root = Path(__file__).parents[2]
    monkeypatch.chdir(root)
    out = tmp_path / "out"
    call(["run", "-p", "vllm", "-s", "single_call", "--history", str(history), "-o", str(out)])
    capsys.readouterr()
    (row,) = [r for r in json.loads((out / "quirks.json").read_text())["rows"] if r["provider"] == "vllm"]
    (first, _) = row["recorded_at"]
    assert {cell["since"] for cell in row["cells"] if cell["applicable"]} == {first}
    assert {cell["since"] for cell in row["cells"] if not cell["applicable"]} == {""}


def test_a_cell_knows_its_past_and_says_what_was_so_on_its_day() -> None:
    old, new = night("2026-12-01"), night("2026-12-05", finding())
    known = History().add(
        Look("acme", "m1", "index-missing", one.day, one)
        for one in (
            Change("2026-11-01", "found", "must", 1, 2),
            Change("2026-12-01", "ok", None, 0, 2),
            Change("2026-12-04", "found", "must", 1, 2),
        )
    )
    then = row_of(build(old, history=known)).cells["index-missing"]
    now = row_of(build(new, history=known)).cells["index-missing"]
    assert (then.since, now.since) == ("2026-12-01", "2026-12-04")
    assert [one.day for one in now.past] == ["2026-11-01", "2026-12-01", "2026-12-04"]
    assert row_of(build(new)).cells["index-missing"].since == ""


def test_a_recording_of_an_unknown_day_says_nothing(history: Path, tmp_path: Path) -> None:
    for moment in (None, "yesterday, about noon"):
        shown = exchange("acme", "single_call", "stream", finding(), recorded_at=moment)
        assert add(history, written(tmp_path / "1.jsonl", record(shown))) == 5
        assert row_of(build(record(shown), history=History())).cells["index-missing"].since == ""
    assert not history.exists()


def test_lines_of_a_kind_that_this_version_does_not_know_are_kept(history: Path, tmp_path: Path) -> None:
    history.write_text(f'{HEADER}\n{{"remark":"moved to another machine"}}\n')
    add(history, written(tmp_path / "1.jsonl", night("2026-12-01")))
    assert '{"remark":"moved to another machine"}' in lines(history)
    assert len(lines(history)) == 4


def test_two_branches_put_together_by_git_are_a_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One branch adds acme's night, the other beta's, and one night both: their lines together are what is right."""
    if shutil.which("git") is None:
        pytest.skip("git is not here")
    monkeypatch.chdir(tmp_path)
    for name, value in (("NAME", "a"), ("EMAIL", "a@example.org")):
        monkeypatch.setenv(f"GIT_AUTHOR_{name}", value)
        monkeypatch.setenv(f"GIT_COMMITTER_{name}", value)
    file = tmp_path / "history.jsonl"

    def git(*args: str) -> None:
        subprocess.run(["git", *args], check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    Path(".gitattributes").write_text("history.jsonl merge=union\n")
    add(file, written(tmp_path / "0.jsonl", night("2026-12-01")))
    git("add", ".gitattributes", "history.jsonl")
    git("commit", "-qm", "0")
    git("checkout", "-qb", "other")
    zeta = record(
        exchange("zeta", "single_call", "stream", finding(), recorded_at="2026-12-02T00:00:00Z"),
        providers=[provider("zeta")],
    )
    acme = written(tmp_path / "1.jsonl", night("2026-12-02", finding()))
    add(file, written(tmp_path / "2.jsonl", zeta), acme)
    git("commit", "-qam", "2")
    git("checkout", "-q", "main")
    add(file, acme, written(tmp_path / "3.jsonl", night("2026-12-03", finding())))
    git("commit", "-qam", "1")
    git("merge", "-q", "other")
    merged = load(file)
    assert [one.text for one in merged.changes("acme", "m1", "index-missing")] == [
        "not found since 2026-12-01",
        "found since 2026-12-02",
    ]
    assert merged.changes("zeta", "m1", "index-missing")[0].text == "found since 2026-12-02"
    assert merged.rows["acme", "m1"].spans == (("2026-12-01", "2026-12-03"),)
    assert add(file, acme) == 0
    assert len(lines(file)) == len(set(lines(file)))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1 is no header"),
        ('{"provider":"a","model":"m","looked":["2026-12-01"]}', "line 1 is no header"),
        ('{"schema":"conformance/history/2"}', "its format is 'conformance/history/2'"),
        (f"{HEADER}\n<<<<<<< HEAD", "line 2 marks a merge conflict"),
        (f"{HEADER}\n{{", "line 2 is not JSON"),
        (f"{HEADER}\n[1]", "line 2 is no JSON object"),
        (f'{HEADER}\n{{"provider":"a","model":"m","looked":["2026-13-01"]}}', "line 2: '2026-13-01' is no day"),
        (f'{HEADER}\n{{"provider":"a","model":"m","looked":["2026-12-02/2026-12-01"]}}', "ends before it begins"),
        (f'{HEADER}\n{{"provider":"a","model":"m","looked":[]}}', "line 2: "),
        (
            f'{HEADER}\n{CELL},"day":"2026-12-01","state":"found","level":"must","occurrences":3,"applicable":2}}',
            "more occurrences than applicable exchanges",
        ),
        (
            f'{HEADER}\n{CELL},"day":"2026-12-01","state":"maybe","occurrences":0,"applicable":2}}',
            "line 2: ",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_one_sentence(
    history: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, says: str
) -> None:
    history.write_text(text)
    assert add(history, written(tmp_path / "1.jsonl", night("2026-12-01"))) == 4
    complaint = capsys.readouterr().err
    assert says in complaint
    assert complaint.count("\n") == 1
    assert history.read_text() == text, "what cannot be read is not written over"


def test_a_history_that_is_not_there_or_is_no_text(
    history: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    latest = written(tmp_path / "1.jsonl", night("2026-12-01"))
    assert call(["report", latest, "--history", str(history)]) == 4
    assert "No such file" in capsys.readouterr().err
    history.write_bytes(b"\xff\xfe")
    assert call(["report", latest, "--history", str(history)]) == 4
    assert "not UTF-8 at byte 0" in capsys.readouterr().err


names = st.text(max_size=8)
days = st.dates().map(lambda day: day.isoformat())
seen = st.builds(
    lambda day, level, found, more: Change(day, "found", level, found, found + more),
    days,
    st.sampled_from(["must", "should", "info"]),
    st.integers(1, 9),
    st.integers(0, 9),
) | st.builds(lambda day, able: Change(day, "ok", None, 0, able), days, st.integers(1, 9))
looks = st.builds(
    lambda provider, model, quirk, one, partial: Look(provider, model, quirk, one.day, one, partial),
    names,
    names,
    names,
    seen,
    st.booleans(),
)


@given(st.lists(looks, max_size=12))
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, given_looks: list[Look]) -> None:
    file = tmp_path_factory.mktemp("history") / "history.jsonl"
    history = History().add(given_looks)
    file.write_text(history.dumps())
    assert load(file).dumps() == history.dumps()
    assert history.dumps().isascii()


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: f"{HEADER}\n{text}".encode(errors="replace")))
def test_any_bytes_are_a_history_or_an_error(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    file = tmp_path_factory.mktemp("history") / "history.jsonl"
    file.write_bytes(data)
    try:
        load(file)
    except InputError as error:
        said = str(error)
    else:
        said = str(file)
    assert str(file) in said
