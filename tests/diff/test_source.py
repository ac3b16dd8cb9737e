"""What can be compared: records, folders, a quirks.json, revisions; and what is said of anything else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conformance.report import json_
from conformance.report.matrix import build
from tests.diff.examples import Nights, asked, night, written
from tests.report.examples import finding, provider

CLEAN = night(asked(0, 8))
FOUND = night(asked(3, 8, finding()))
SUMMARY = "1 unexpected change, 0 others; 1 cell compared, 1 with counts that could differ."


def document() -> Any:
    return json.loads(json_.render(build(FOUND)))


def test_a_folder_a_file_and_a_matrix_say_the_same(nights: Nights) -> None:
    old = written(nights.folder / "old", CLEAN)
    new = nights.folder / "new"
    names = [written(new, FOUND), str(new / "run.jsonl"), written(nights.folder / "matrix", FOUND, form="quirks.json")]
    for name in [*names, str(nights.folder / "matrix")]:
        code, out, err = nights.say(old, name)
        assert (code, err) == (1, "")
        assert SUMMARY in out


def test_several_records_are_put_together(nights: Nights) -> None:
    parts = [night(asked(0, 8)), night(asked(0, 8, provider="beta"), providers=[provider("beta")])]
    names = [written(nights.folder / str(number), part) for number, part in enumerate(parts)]
    code, out, _ = nights.say(",".join(names), ",".join(reversed(names)))
    assert code == 0
    assert "2 cells compared" in out


def test_a_file_with_a_comma_in_its_name_is_that_file(nights: Nights) -> None:
    name = written(nights.folder / "a,b", CLEAN)
    assert nights.say(name, name)[0] == 0


def test_an_empty_name_is_no_folder(nights: Nights) -> None:
    name = written(nights.folder / "old", CLEAN)
    code, out, err = nights.say("", name)
    assert (code, out) == (4, "")
    assert err.startswith("an empty name says no side of a comparison; give a run record,")


def test_what_an_older_version_published_can_be_compared(nights: Nights) -> None:
    """Before counts stood there by scenario, all exchanges were one sum."""
    old = document()
    for row in old["rows"]:
        del row["scenarios"], row["counts"], row["judged_in"]
        for cell in row["cells"]:
            del cell["applicable_in"], cell["found_in"], cell["since"], cell["unexpected_level"]
    file = nights.folder / "old.json"
    file.write_text(json.dumps(old))
    code, out, _ = nights.say(str(file), written(nights.folder / "new", CLEAN), "-f", "json")
    assert code == 0
    (cell,) = json.loads(out)["cells"]
    assert (cell["kinds"], cell["resolved"]) == (["not-seen"], False)
    assert json.loads(out)["notes"] == ["OLD does not tell which scenarios it asked; its counts are of all."]
    code, out, _ = nights.say(written(nights.folder / "new", CLEAN), str(file))
    assert code == 1


@pytest.fixture
def repository(nights: Nights, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose first commit, `v1`, is clean, and whose second is not."""
    if shutil.which("git") is None:
        pytest.skip("git is not here")
    root = nights.folder / "repository"
    (root / "sub").mkdir(parents=True)
    monkeypatch.chdir(root)
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "a")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@example.org")
    git("init", "-q")
    for tag, one in (("v1", CLEAN), ("v2", FOUND)):
        written(root / "reports", one, form="quirks.json")
        git("add", "reports")
        git("commit", "-qm", tag)
        git("tag", tag)
    return root


def git(*args: str) -> None:
    subprocess.run(["git", *args], check=True, capture_output=True)


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("names", [("HEAD~1", "HEAD"), ("v1", "v2:reports/quirks.json"), ("v1", "reports")])
def test_revisions(nights: Nights, names: tuple[str, str]) -> None:
    code, out, err = nights.say(*names)
    assert (code, err) == (1, "")
    assert out.startswith(f"Changes from {names[0]} (2026-11-29) to {names[1]} (2026-11-29)\n")
    assert SUMMARY in out


def test_a_revision_from_within_a_folder(nights: Nights, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "sub")
    assert nights.say("v1", "v2")[0] == 1


def test_a_revision_brings_its_history(nights: Nights, repository: Path) -> None:
    looked = {"provider": "acme", "model": "m1", "looked": ["2026-11-01/2026-11-29"]}
    varies: dict[str, Any] = {
        "provider": "acme",
        "model": "m1",
        "quirk": "index-missing",
        "day": "2026-11-02",
        "state": "varies",
    }
    varies |= {"level": "must", "occurrences": 1, "applicable": 8, "found": "2026-11-29", "missed": "2026-11-28"}
    file = repository / "reports" / "history.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in ({"schema": "conformance/history/1"}, looked, varies)))
    git("add", "reports")
    git("commit", "-qm", "v3")
    assert "comes and goes since 2026-11-02" in nights.say("v1", "HEAD")[1]
    assert "comes and goes" not in nights.say("v1", "v2")[1], "that one has none"
    file.write_text("{")
    git("commit", "-qam", "v4")
    code, _, err = nights.say("v1", "HEAD")
    assert code == 4
    assert err.startswith("HEAD: history.jsonl: line 1 is not JSON")


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("v3", "v3: no such file, and no such revision in git"),
        ("v1:nothing.json", "v1:nothing.json: v1 holds no file nothing.json"),
        (":reports/quirks.json", "no such file"),
        ("v1:--help", "v1 holds no file --help"),
        ("HEAD..v1", "no such revision"),
    ],
)
def test_no_such_revision(nights: Nights, name: str, says: str) -> None:
    code, out, err = nights.say(name, "v2")
    assert (code, out) == (4, "")
    assert says in err
    assert err.count("\n") == 1


def test_a_shallow_clone_says_what_helps(nights: Nights, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git("clone", "-q", "--depth", "1", f"file://{repository}", "../clone")
    monkeypatch.chdir(repository.parent / "clone")
    code, _, err = nights.say("HEAD~1", "HEAD")
    assert code == 4
    assert "fetch-depth: 0" in err


def test_outside_of_a_repository(nights: Nights, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(nights.folder)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(nights.folder.parent))
    code, _, err = nights.say("HEAD~1", "HEAD")
    assert code == 4
    assert "no such file, and this folder is in no git repository" in err


def test_without_git(nights: Nights, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    code, _, err = nights.say("HEAD~1", "HEAD")
    assert code == 4
    assert "install git, or give a file" in err


def altered(change: Callable[[Any], object]) -> str:
    whole = document()
    change(whole)
    return json.dumps(whole)


def _set(cell: int, **fields: Any) -> Callable[[Any], object]:
    return lambda whole: whole["rows"][0]["cells"][cell].update(fields)


FIRST = next(n for n, cell in enumerate(document()["rows"][0]["cells"]) if cell["quirk"] == "index-missing")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "neither a run record nor JSON"),
        ("# Title\n", "neither a run record nor JSON"),
        ("[" * 100_000, "neither a run record nor JSON"),
        ("[]", "neither a run record nor a quirks.json"),
        ("{}", "neither a run record nor a quirks.json"),
        ('{"schema": "conformance/matrix/2"}', "its format is 'conformance/matrix/2'"),
        ('{"schema": "conformance/matrix/1"}', "is a required property"),
        (altered(lambda whole: whole.update(complete=False)), "its run did not finish"),
        (altered(lambda whole: whole["rows"].append(whole["rows"][0])), "two rows of one provider and model"),
        (altered(lambda whole: whole["rows"][0]["counts"][0].append(1)), "are not as long as 'scenarios'"),
        (altered(_set(FIRST, found_in=99)), "there is no list 99 in 'counts'"),
        (altered(_set(FIRST, occurrences=9, applicable=8)), "found in 9 of 8 exchanges cannot be"),
        (altered(_set(FIRST, occurrences=2)), "its counts by scenario do not add up"),
        (altered(_set(FIRST, applicable=10**12)), "cannot be"),
        (altered(_set(FIRST, level="grave")), "the file is altered"),
        ('{"type": "header"}\n', "line 1"),
    ],
)
def test_what_is_wrong_is_one_sentence(nights: Nights, text: str, says: str) -> None:
    file = nights.folder / "quirks.json"
    file.write_text(text)
    code, out, err = nights.say(str(file), written(nights.folder / "new", CLEAN))
    assert (code, out) == (4, "")
    assert err.startswith(f"{file}: ")
    assert says in err
    assert err.count("\n") == 1


def test_bytes_that_are_no_text(nights: Nights) -> None:
    file = nights.folder / "quirks.json"
    file.write_bytes(b"\xff\xfe\x00")
    code, _, err = nights.say(str(file), str(file))
    assert (code, err.count("\n")) == (4, 1)


def test_a_run_that_did_not_finish(nights: Nights) -> None:
    name = written(nights.folder / "old", night(asked(0, 8), finished=False))
    code, _, err = nights.say(name, name)
    assert code == 4
    assert "the run did not finish" in err


def test_a_folder_without_either(nights: Nights) -> None:
    code, _, err = nights.say(str(nights.folder), str(nights.folder))
    assert code == 4
    assert "holds neither a run.jsonl nor a quirks.json" in err


def test_only_records_are_put_together(nights: Nights) -> None:
    names = [written(nights.folder / str(n), CLEAN, form="quirks.json") for n in range(2)]
    code, _, err = nights.say(",".join(names), names[0])
    assert code == 4
    assert "only run records can be put together" in err


def test_part_of_a_list_that_is_not_there(nights: Nights) -> None:
    name = written(nights.folder / "old", CLEAN)
    code, _, err = nights.say(f"{name},{nights.folder}/nothing.jsonl", name)
    assert code == 4
    assert "nothing.jsonl: No such file" in err
